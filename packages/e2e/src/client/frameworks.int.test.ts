import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { createClient, type Legate } from '@legate/client';
import type { UserActionRequest } from '@legate/client/langchain';
import { machineEnvironment, ROOT, scene, signIn } from '@legate/dev';
import { needs } from '@legate/testing';
import { MockLanguageModelV3 } from 'ai/test';
import { difference } from '../documents/compare.ts';
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
  idToken = await tokenOf('alice');
});
afterAll(() => stack?.stop());

const tokenOf = async (user: 'alice' | 'bob'): Promise<string> =>
  (await signIn({ issuer: stack.urls['mock-idp'], email: scene.USERS[user].email })).idToken;

const PAGE = readFileSync(`${ROOT}docs/how-to/agent-frameworks.md`, 'utf8');
const fileOf = (name: string): string => readFileSync(new URL(`${name}.ts`, import.meta.url), 'utf8');
const CREATE = scene.toolAtMcp('create_note');
const TSCONFIG = {
  compilerOptions: {
    ...{ strict: true, skipLibCheck: true, module: 'nodenext', target: 'es2023', types: ['node'] },
    ...{ rewriteRelativeImportExtensions: true, outDir: 'out' },
  },
};
const REFUSED = 'The user refused this call.';

/** A model for each framework that creates a note, and then repeats the tool's result. */
const FRAMEWORKS = {
  'ai-sdk-example': (common: Common) => byAiSdk({ ...common, model: aiSdkModel() }),
  'langgraph-example': (common: Common) =>
    byLangGraph({
      ...common,
      model: langGraphModel(common.question),
      act: () => Promise.reject(new Error('the user is signed in')),
    }),
  'openai-agents-example': (common: Common) =>
    byOpenAiAgents({ ...common, model: openAiModel(common.question) }),
};

interface Common {
  readonly legate: Legate;
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
    expect(PAGE).toContain(`\`\`\`ts\n${fileOf(file)}\`\`\``);
  },
);

describe('fresh-id-token of the web application', () => {
  it('is quoted in the documentation', () => {
    const file = `${ROOT}examples/web-app-ai-sdk/src/fresh-id-token.ts`;
    expect(PAGE).toContain(`\`\`\`ts\n${readFileSync(file, 'utf8')}\`\`\``);
  });

  it('renews once for requests that wait, because the provider rotates refresh tokens', async () => {
    const issuer = stack.urls['mock-idp'];
    const { createSignIn } = await import(`${ROOT}examples/web-app-ai-sdk/dist/sign-in.js`);
    const redirectUri = 'http://localhost/callback';
    const { freshIdToken } = await createSignIn({ issuer, clientId: 'frontend-app', redirectUri });
    const { email } = scene.USERS.alice;
    const user = { ...(await signIn({ issuer, email, scope: 'openid offline_access' })), expiresAt: 0 };
    const { refreshToken } = user;
    const [first, second] = await Promise.all([freshIdToken(user), freshIdToken(user)]);
    expect([second, await freshIdToken(user)]).toEqual([first, first]);
    expect(user.refreshToken).not.toBe(refreshToken);
    user.expiresAt = 0;
    await freshIdToken(user);
    expect(user.expiresAt).toBeGreaterThan(0);
  });
});

describe.each(Object.entries(FRAMEWORKS))('%s', (file, answer) => {
  it('calls a tool as the user when the user approves it, and not when they refuse', async () => {
    const asked: string[] = [];
    const run = (isApproved: boolean) =>
      answer({
        legate: createClient({ hub: stack.urls['tool-hub'], idToken: () => idToken }),
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

describe('langgraph-example', () => {
  it('lets the user sign in again, and then repeats the call', async () => {
    const hub = stack.urls['tool-hub'];
    let token = await tokenOf('bob');
    const signOut = () => createClient({ hub, idToken: () => token }).end();
    const needed: UserActionRequest[] = [];
    const text = await byLangGraph({
      legate: createClient({ hub, idToken: () => token }),
      question: 'after a sign-out',
      model: langGraphModel('after a sign-out'),
      ask: async () => (await signOut()).kind === 'ended',
      async act(request) {
        needed.push(request);
        token = await tokenOf('bob');
      },
    });
    expect(text).toContain('after a sign-out');
    expect(needed).toMatchObject([{ type: 'sign_in_required', tool: CREATE }]);
  });

  describe('in the program of the documentation', () => {
    const [, main = '', shown = ''] =
      /`main\.ts` beside it:\n\n```ts\n(.*?)```.*?it prints:\n\n```text\n(.*?)```/s.exec(PAGE) ?? [];
    let folder: string;
    beforeAll(() => {
      mkdirSync(`${ROOT}node_modules/.cache`, { recursive: true });
      folder = mkdtempSync(`${ROOT}node_modules/.cache/agent-`);
      writeFileSync(`${folder}/main.ts`, main.replace('http://localhost:4001', stack.urls['tool-hub']));
      writeFileSync(`${folder}/agent.ts`, fileOf('langgraph-example'));
      writeFileSync(`${folder}/model.ts`, fileOf('langgraph-model'));
      writeFileSync(`${folder}/package.json`, '{"type":"module"}');
      writeFileSync(`${folder}/tsconfig.json`, JSON.stringify(TSCONFIG));
      execFileSync(`${ROOT}node_modules/.bin/tsc`, ['-p', folder], { stdio: 'pipe' });
    });
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    /** Runs the program with this text in a pipe, which ends after it. */
    const run = (input: string): string =>
      execFileSync(process.execPath, ['out/main.js'], {
        cwd: folder,
        env: { ...machineEnvironment(), ID_TOKEN: idToken },
        input,
        encoding: 'utf8',
      });
    const sessions = async (): Promise<unknown> => {
      const headers = { Authorization: `Bearer ${idToken}` };
      const response = await fetch(`${stack.urls['tool-hub']}/api/v1/sessions`, { headers });
      return ((await response.json()) as { data: unknown }).data;
    };

    it('prints what the page shows, and leaves no session', async () => {
      const typed = 'Allow it? (y/n) y\n';
      expect(shown).toContain(typed);
      expect(difference(shown.replace(typed, typed.replace('y\n', '')), run('y\n'))).toBeUndefined();
      expect(await sessions()).toEqual([]);
    });

    it('refuses the call if nobody answers', () => {
      expect(run('')).toContain(REFUSED);
    });
  });
});
