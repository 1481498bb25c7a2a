import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage } from '@langchain/core/messages';
import { fakeModel } from '@langchain/core/testing';

/** Returns a model that writes the question down, and then repeats what the tool has said. */
export const scriptedModel = (question: string): BaseChatModel =>
  fakeModel()
    .respondWithTools([{ id: 'call-1', name: 'reference_create_note', args: { text: question } }])
    .respond((messages) => new AIMessage(String(messages.at(-1)?.content)));
