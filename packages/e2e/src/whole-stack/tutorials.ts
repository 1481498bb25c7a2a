import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROOT, scene, signIn } from '@legate/dev';
import { findFreePort } from '@legate/service/testing';
import type { StackUnderTest } from '../stack-under-test.ts';
import { atStack, runDocumentedBlocks } from './documented-commands.ts';

/** Ignored by Git, and in a workspace that has what the programs import. */
const RESULTS = fileURLToPath(new URL('../../test-results/', import.meta.url));

/** Runs the programs and commands of the tutorials. */
export function describeTutorials(stack: () => StackUnderTest): void {
  let folder: string;
  let running: ChildProcess | undefined;
  beforeAll(() => {
    mkdirSync(RESULTS, { recursive: true });
    folder = mkdtempSync(`${RESULTS}tutorials-`);
  });
  afterAll(async () => {
    if (running?.exitCode === null && running.kill()) await once(running, 'exit');
    rmSync(folder, { recursive: true, force: true });
  });

  /** Writes the programs of a tutorial, with the addresses of the stack. */
  function writePrograms(document: string, names: readonly string[], ...also: [string, string][]): void {
    const text = readFileSync(`${ROOT}${document}`, 'utf8');
    const programs = [...text.matchAll(/^```js\n([\s\S]+?)^```$/gm)].map(([, program = '']) => program);
    expect(programs).toHaveLength(names.length);
    for (const [index, name] of names.entries()) {
      let program = atStack(stack(), programs[index] ?? '');
      for (const [documented, actual] of also) program = program.replaceAll(documented, actual);
      writeFileSync(`${folder}/${name}`, program);
    }
  }

  const start = (program: string, env: NodeJS.ProcessEnv): ChildProcess =>
    spawn(process.execPath, [`${folder}/${program}`], { env: { PATH: process.env.PATH, ...env } });

  describe('a tutorial', () => {
    it('makes a tool server that knows its user', async () => {
      const port = await findFreePort();
      const document = 'docs/tutorials/tool-server.md';
      writePrograms(document, ['greeter.mjs'], ['localhost:8080', `localhost:${port}`], ['8080', `${port}`]);
      running = start('greeter.mjs', { HUB_SECRET: 'a-secret-of-32-characters-or-more' });
      const isListening = `curl -sf -o /dev/null http://localhost:${port}/.well-known/jwks.json`;
      const greeter = { 'localhost:8080': `localhost:${port}` };
      const blocks = await runDocumentedBlocks(stack(), document, 'greeter', { 0: isListening }, greeter);
      expect(blocks.map((block) => block.trim())).toEqual([
        `http://localhost:${port}`,
        '',
        `Hello ${scene.USERS.alice.id} of org_acme!`,
      ]);
    });

    it.each([
      ['y', expect.stringContaining('buy milk')],
      ['n', '{"type":"execution-denied","reason":"The user refused this call."}'],
    ])('makes an agent that calls a tool only after its user has typed y: %s', async (typed, said) => {
      writePrograms('docs/tutorials/agent-that-asks.md', ['model.mjs', 'agent.mjs']);
      const { idToken } = await signIn({
        issuer: stack().urls['mock-idp'],
        email: scene.USERS.alice.email,
      });
      const agent = start('agent.mjs', { ID_TOKEN: idToken });
      const written: Buffer[] = [];
      agent.stdout?.on('data', (chunk: Buffer) => written.push(chunk));
      agent.stdin?.end(`${typed}\n`);
      await once(agent, 'close');
      const [asked = '', answered = ''] = Buffer.concat(written).toString().split('Allow it? (y/n) ');
      expect(asked).toContain(`acts as ${scene.USERS.alice.email}`);
      expect(answered.trim()).toEqual(said);
    });
  });
}
