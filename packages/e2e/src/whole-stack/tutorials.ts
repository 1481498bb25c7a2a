import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROOT, scene, signIn } from '@legate/dev';
import type { StackUnderTest } from '../stack-under-test.ts';
import { atStack } from './documented-addresses.ts';

/** A folder that Git ignores, in a workspace with the packages that the programs import. */
const RESULTS = fileURLToPath(new URL('../../test-results/', import.meta.url));

/** Tests the agent of a tutorial with both answers; `documents` tests all other parts of the tutorials. */
export function describeTutorials(stack: () => StackUnderTest): void {
  let folder: string;
  beforeAll(() => {
    mkdirSync(RESULTS, { recursive: true });
    folder = mkdtempSync(`${RESULTS}tutorials-`);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Writes the programs of a tutorial, with the addresses of the stack. */
  function writePrograms(document: string, names: readonly string[]): void {
    const text = readFileSync(`${ROOT}${document}`, 'utf8');
    const programs = [...text.matchAll(/^```js\n([\s\S]+?)^```$/gm)].map(([, program = '']) => program);
    expect(programs).toHaveLength(names.length);
    for (const [index, name] of names.entries())
      writeFileSync(`${folder}/${name}`, atStack(stack(), programs[index] ?? ''));
  }

  const start = (program: string, env: NodeJS.ProcessEnv): ChildProcess =>
    spawn(process.execPath, [`${folder}/${program}`], { env: { PATH: process.env.PATH, ...env } });

  describe('a tutorial', () => {
    it.each([
      ['y', expect.stringContaining('buy milk')],
      ['n', '{"type":"execution-denied","reason":"The user refused this call."}'],
    ])('creates an agent that calls a tool only after its user has typed y: %s', async (typed, said) => {
      writePrograms('docs/tutorials/agent-that-asks.md', ['model.mjs', 'agent.mjs']);
      const { idToken } = await signIn({
        issuer: stack().urls['mock-idp'],
        email: scene.USERS.alice.email,
      });
      const agent = start('agent.mjs', { HUB: stack().urls['tool-hub'], ID_TOKEN: idToken });
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
