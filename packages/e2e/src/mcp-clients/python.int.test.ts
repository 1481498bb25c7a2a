import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createBrowser, member, ROOT, scene } from '@legate/dev';
import { needs } from '@legate/testing';
import { type StackUnderTest, startStackUnderTest } from '../stack-under-test.ts';

/** Tests the official Python SDK in a separate process. */

const { describe, path } = needs('night', 'python-mcp');
const CLIENT = fileURLToPath(new URL('python-client.py', import.meta.url));
const REDIRECT_URI = 'http://localhost:6274/oauth/callback';

let stack: StackUnderTest;

describe('a client of the official Python SDK', () => {
  beforeAll(async () => {
    stack = await startStackUnderTest({
      services: ['mock-idp', 'reference-mcp-server', 'tool-hub'],
      env: {
        'tool-hub': { CONNECTORS_FILE: `${ROOT}infra/development/connectors.json`, MANAGEMENT_API_URL: '' },
      },
    });
  });
  afterAll(() => stack?.stop());

  it('registers itself, signs Alice in, calls a tool for them, and refreshes its tokens', async () => {
    const client = spawn(path['python-mcp'], [CLIENT, `${stack.urls['tool-hub']}/mcp`], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const ended = once(client, 'close');
    const reported: unknown[] = [];
    for await (const line of createInterface({ input: client.stdout })) {
      const fact: unknown = JSON.parse(line);
      reported.push(fact);
      const authorize = member(fact, 'authorize');
      if (typeof authorize !== 'string') continue;
      const { email } = scene.USERS.alice;
      const called = await createBrowser().signIn(authorize, REDIRECT_URI, email, scene.PASSWORD);
      client.stdin.write(`${called.href}\n`);
    }
    await ended;
    const asAlice = expect.objectContaining({ subject: scene.USERS.alice.id });
    expect(reported).toEqual([
      { authorize: expect.stringContaining(`${stack.urls['tool-hub']}/oauth/authorize?`) },
      { called: asAlice },
      { called: asAlice, refreshed: true },
    ]);
    expect(client.exitCode).toBe(0);
  });
});
