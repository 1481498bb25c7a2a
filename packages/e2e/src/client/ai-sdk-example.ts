import type { Legate } from '@legate/client';
import { legateTools } from '@legate/client/ai-sdk';
import { generateText, type LanguageModel, type ModelMessage, stepCountIs, type ToolContent } from 'ai';

/** Answers a question as the user. `ask` shows a call to the user, and returns what they decide. */
export async function answer(options: {
  legate: Legate;
  model: LanguageModel;
  question: string;
  ask: (call: string) => Promise<boolean>;
}): Promise<string> {
  const { tools, describe, failure } = await legateTools(options.legate);
  if (failure) throw new Error(failure.detail);
  const messages: ModelMessage[] = [{ role: 'user', content: options.question }];
  for (;;) {
    const { content, response, text } = await generateText({
      model: options.model,
      tools,
      messages,
      stopWhen: stepCountIs(10),
    });
    messages.push(...response.messages);
    const asked = content.filter((part) => part.type === 'tool-approval-request');
    if (asked.length === 0) return text;
    const decisions: ToolContent = [];
    for (const { approvalId, toolCall } of asked) {
      const approved = await options.ask(describe(toolCall));
      const reason = 'The user refused this call.'; // the model reads it only if they did
      decisions.push({ type: 'tool-approval-response', approvalId, approved, reason });
    }
    messages.push({ role: 'tool', content: decisions });
  }
}
