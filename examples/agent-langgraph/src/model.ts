import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import { fakeModel } from '@langchain/core/testing';

const MAX_TURNS = 200;

/** A script instead of a model. Return a chat model of LangChain instead, such as that of `@langchain/anthropic`. */
export function createModel(): BaseChatModel {
  const model = fakeModel();
  for (let turn = 0; turn < MAX_TURNS; turn += 1) model.respond(reply);
  return model;
}

/** Calls the tool for “Write down: …”, and repeats what a tool has said. */
function reply(messages: readonly BaseMessage[]): AIMessage {
  const last = messages.at(-1);
  const text = String(last?.content ?? '');
  if (last?.type === 'tool') return new AIMessage(`The tool says: ${text}`);
  const note = /^write down: (.+)/i.exec(text)?.[1];
  if (!note) return new AIMessage('I am a script, and know “Write down: …”.');
  const call = { id: `call-${messages.length}`, name: 'reference_create_note', args: { text: note } };
  return new AIMessage({ content: '', tool_calls: [call] });
}
