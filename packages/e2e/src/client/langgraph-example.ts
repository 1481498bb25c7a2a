import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { HumanMessage } from '@langchain/core/messages';
import { Command, INTERRUPT, isInterrupted, MemorySaver } from '@langchain/langgraph';
import { createReactAgent } from '@langchain/langgraph/prebuilt';
import type { Legate } from '@legate/client';
import { type ApprovalRequest, legateTools, type UserActionRequest } from '@legate/client/langchain';

/**
 * Answers a question as the user. `ask` shows a call to the user, and returns what they decide. `act` shows what they
 * must do, such as signing in again, and returns when they have done it.
 */
export async function answer(options: {
  legate: Legate;
  model: BaseChatModel;
  question: string;
  ask: (call: string) => Promise<boolean>;
  act: (needed: UserActionRequest) => Promise<unknown>;
}): Promise<string> {
  const { tools, failure } = await legateTools(options.legate, { onUserAction: () => 'interrupt' });
  if (failure) throw new Error(failure.detail);
  // One node for each call (`v2`), and a store in which a paused graph waits for its user
  const graph = createReactAgent({
    llm: options.model,
    tools,
    version: 'v2',
    checkpointer: new MemorySaver(),
  });
  const config = { configurable: { thread_id: 'conversation-1' } };
  let state = await graph.invoke({ messages: [new HumanMessage(options.question)] }, config);
  for (;;) {
    const asked = isInterrupted<ApprovalRequest | UserActionRequest>(state) ? state[INTERRUPT] : [];
    if (asked.length === 0) return String(state.messages.at(-1)?.content);
    const resume: Record<string, unknown> = {};
    for (const { id = '', value } of asked) {
      if (value && 'type' in value) {
        await options.act(value);
        resume[id] = true; // any value: the tool is called again
        continue;
      }
      const call = value?.actionRequests[0];
      const isApproved = await options.ask(call?.description ?? '');
      resume[id] = { decisions: [{ type: isApproved ? 'approve' : 'reject', id: call?.id }] };
    }
    state = await graph.invoke(new Command({ resume }), config);
  }
}
