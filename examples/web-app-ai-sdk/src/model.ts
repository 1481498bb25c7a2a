import type { LanguageModel } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';

/**
 * @param name a model of the AI Gateway, such as `anthropic/claude-sonnet-4.5`, which needs AI_GATEWAY_API_KEY; `mock` plays
 * one without a network
 */
export const createModel = (name: string): LanguageModel => (name === 'mock' ? mockModel() : name);

/** Calls `…_create_note` for “Write down: …” and `…_list_notes` for “notes”, and repeats what a tool has said. */
function mockModel(): LanguageModel {
  type Reply = Awaited<ReturnType<MockLanguageModelV3['doGenerate']>>;
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  let calls = 0;
  const say = (text: string): Reply => ({
    content: [{ type: 'text', text }],
    finishReason: { unified: 'stop', raw: undefined },
    ...{ usage, warnings: [] },
  });
  const call = (toolName: string, input: object): Reply => ({
    content: [{ type: 'tool-call', toolCallId: `call-${++calls}`, toolName, input: JSON.stringify(input) }],
    finishReason: { unified: 'tool-calls', raw: undefined },
    ...{ usage, warnings: [] },
  });
  return new MockLanguageModelV3({
    async doGenerate({ prompt, tools = [] }) {
      const last = prompt.at(-1);
      if (last?.role === 'tool') {
        const [result] = last.content.flatMap((part) => (part.type === 'tool-result' ? [part.output] : []));
        if (result?.type === 'execution-denied')
          return say(`I did not do it: ${result.reason ?? 'you refused'}`);
        return say(
          `The tool says: ${result && 'value' in result ? JSON.stringify(result.value) : 'nothing'}`,
        );
      }
      const [part] = last?.role === 'user' ? last.content : [];
      const text = part?.type === 'text' ? part.text : '';
      const named = (ending: string) => tools.find(({ name }) => name.endsWith(ending))?.name;
      const note = /^write down: (.+)/is.exec(text)?.[1];
      const [create, list] = [named('_create_note'), named('_list_notes')];
      if (note && create) return call(create, { text: note });
      if (/notes/i.test(text) && list) return call(list, {});
      return say(
        `I am a script, and know “Write down: …” and “notes”. Your tools: ${tools.map(({ name }) => name).join(', ')}`,
      );
    },
  });
}
