import type { Legate } from '@legate/client';
import { legateTools } from '@legate/client/ai-sdk';
import { generateText, type LanguageModel, type ModelMessage, stepCountIs } from 'ai';

/** A call that waits for its user. */
interface Asked {
  readonly id: string;
  readonly text: string;
  approved?: boolean;
}

/** What the page shows. */
export interface ChatView {
  readonly lines: readonly { readonly who: 'you' | 'assistant'; readonly text: string }[];
  readonly asked: readonly { readonly id: string; readonly text: string }[];
  /** Connectors whose account the user must connect first */
  readonly connect: readonly { readonly connectorId: string; readonly name: string }[];
  /** The user must sign in again. */
  readonly signIn: boolean;
}

/** The conversation of one user. A real application stores `messages` and `asked`. */
export function createChat(legate: Legate, model: LanguageModel) {
  const messages: ModelMessage[] = [];
  let asked: Asked[] = [];
  let connect: ChatView['connect'] = [];
  let signIn = false;

  /** Lets the model answer, until it is done or a call needs the user's approval. */
  async function run(): Promise<void> {
    const { tools, describe, leftOut, failure } = await legateTools(legate);
    signIn = failure?.kind === 'sign_in_required';
    connect = leftOut.flatMap(({ connectorId, connectorName: name = connectorId, failure: why }) =>
      why?.kind === 'connection_required' ? [{ connectorId, name }] : [],
    );
    if (signIn) return;
    const { content, response } = await generateText({ model, tools, messages, stopWhen: stepCountIs(10) });
    messages.push(...response.messages);
    asked = content.flatMap((part) =>
      part.type === 'tool-approval-request' ? [{ id: part.approvalId, text: describe(part.toolCall) }] : [],
    );
  }

  return {
    view: (): ChatView => ({
      lines: messages.flatMap(({ role, content }) => {
        if (role !== 'user' && role !== 'assistant') return [];
        const text =
          typeof content === 'string'
            ? content
            : content.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n');
        return text ? [{ who: role === 'user' ? ('you' as const) : role, text }] : [];
      }),
      asked: asked.filter(({ approved }) => approved === undefined).map(({ id, text }) => ({ id, text })),
      connect,
      signIn,
    }),

    /** @returns false while a call waits for its user */
    async say(text: string): Promise<boolean> {
      if (asked.length > 0) return false;
      messages.push({ role: 'user', content: text });
      await run();
      return true;
    },

    /** The model continues when the last call is decided. @returns false for a call that does not wait */
    async decide(id: string, approved: boolean): Promise<boolean> {
      const call = asked.find((one) => one.id === id && one.approved === undefined);
      if (!call) return false;
      call.approved = approved;
      if (asked.some((one) => one.approved === undefined)) return true;
      messages.push({
        role: 'tool',
        content: asked.map((one) => ({
          type: 'tool-approval-response',
          approvalId: one.id,
          approved: one.approved === true,
          reason: 'The user refused this call.', // read only if it is
        })),
      });
      asked = [];
      await run();
      return true;
    },
  };
}
export type Chat = ReturnType<typeof createChat>;
