import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { ROOT, scene, signIn } from '@legate/dev';
import { needs } from '@legate/testing';
import { MockLanguageModelV3 } from 'ai/test';
import { type StackUnderTest, startStackUnderTest } from '../stack-under-test.ts';
import { answer as byAiSdk } from './ai-sdk-example.ts';
import { answer as byLangGraph } from './langgraph-example.ts';
import { scriptedModel as langGraphModel } from './langgraph-model.ts';
import { answer as byOpenAiAgents } from './openai-agents-example.ts';
import { scriptedModel as openAiModel } from './openai-agents-model.ts';

const { describe, it } = needs('time');

/**
 * Runs the examples of docs/how-to/agent-frameworks.md against a whole stack, with scripted models that need no
 * network.
 */

let stack: StackUnderTest;
let idToken: string;
beforeAll(async () => {
  stack = await startStackUnderTest({
    services: ['mock-idp', 'reference-mcp-server', 'tool-hub'],
    env: {
      'tool-hub': { CONNECTORS_FILE: `${ROOT}infra/development/connectors.json`, MANAGEMENT_API_URL: '' },
    },
  });
  ({ idToken } = await signIn({ issuer: stack.urls['mock-idp'], email: scene.USERS.alice.email }));
});
afterAll(() => stack?.stop());

const CREATE = scene.toolAtMcp('create_note');
const REFUSED = 'The user refused this call.';

/** A model for each framework that creates a note, and then repeats the tool's result. */
const FRAMEWORKS = {
  'ai-sdk-example': (common: Common) => byAiSdk({ ...common, model: aiSdkModel() }),
  'langgraph-example': (common: Common) =>
    byLangGraph({
      ...common,
      llm: langGraphModel(common.question),
    }),
  'openai-agents-example': (common: Common) =>
    byOpenAiAgents({ ...common, model: openAiModel(common.question) }),
};

interface Common {
  readonly hub: string;
  readonly idToken: () => Promise<string>;
  readonly question: string;
  readonly ask: (call: string) => Promise<boolean>;
}

function aiSdkModel(): MockLanguageModelV3 {
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  return new MockLanguageModelV3({
    async doGenerate({ prompt }) {
      const [user, last] = [prompt[0], prompt.at(-1)];
      const [part] = user?.role === 'user' ? user.content : [];
      const input = JSON.stringify({ text: part?.type === 'text' ? part.text : '' });
      return last?.role === 'tool'
        ? {
            content: [{ type: 'text', text: JSON.stringify(last.content) }],
            finishReason: { unified: 'stop', raw: undefined },
            ...{ usage, warnings: [] },
          }
        : {
            content: [{ type: 'tool-call', toolCallId: 'call-1', toolName: CREATE, input }],
            finishReason: { unified: 'tool-calls', raw: undefined },
            ...{ usage, warnings: [] },
          };
    },
  });
}

it.each([...Object.keys(FRAMEWORKS), 'langgraph-model', 'openai-agents-model'])(
  '%s is quoted in the documentation',
  (file) => {
    const example = readFileSync(new URL(`${file}.ts`, import.meta.url), 'utf8');
    expect(readFileSync(`${ROOT}docs/how-to/agent-frameworks.md`, 'utf8')).toContain(
      `\`\`\`ts\n${example}\`\`\``,
    );
  },
);

describe.each(Object.entries(FRAMEWORKS))('%s', (file, answer) => {
  it('calls a tool as the user when the user approves it, and not when they refuse', async () => {
    const asked: string[] = [];
    const run = (isApproved: boolean) =>
      answer({
        hub: stack.urls['tool-hub'],
        idToken: async () => idToken,
        question: `by ${file}`,
        async ask(call) {
          asked.push(call);
          return isApproved;
        },
      });
    expect(await run(true)).toContain('note_');
    expect(await run(false)).toContain(REFUSED);
    expect(asked).toEqual([asked[0], asked[0]]);
    expect(asked[0]).toContain('acts as alice@acme.example');
    expect(asked[0]).toContain(`by ${file}`);
  });
});
