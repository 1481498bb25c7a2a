import { afterAll, beforeAll, expect } from '@jest/globals';
import { createBrowser, ROOT, scene } from '@legate/dev';
import { findFreePort } from '@legate/service/testing';
import { needs } from '@legate/testing';
import { type StackUnderTest, startStackUnderTest } from '../stack-under-test.ts';
import { REVISIONS, runSuite } from './suite.ts';

/** Runs the conformance suite's scenarios for authorization servers against the built hub. */

const { describe, it } = needs('time');
let stack: StackUnderTest;
beforeAll(async () => {
  stack = await startStackUnderTest({
    services: ['mock-idp', 'tool-hub'],
    env: {
      'tool-hub': { CONNECTORS_FILE: `${ROOT}infra/development/connectors.json`, MANAGEMENT_API_URL: '' },
    },
  });
});
afterAll(() => stack?.stop());

async function register(redirectUri: string): Promise<string> {
  const answer = await fetch(`${stack.urls['tool-hub']}/oauth/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ client_name: 'Conformance', redirect_uris: [redirectUri] }),
  });
  expect(answer.status).toBe(201);
  return ((await answer.json()) as { client_id: string }).client_id;
}

describe('the hub as an authorization server', () => {
  it.each(REVISIONS)('passes the scenarios of the conformance suite at revision %s', async (revision) => {
    const port = await findFreePort();
    const redirectUri = `http://127.0.0.1:${port}/callback`;
    const client = ['--client-id', await register(redirectUri), '--port', String(port)];
    const signedIn: Promise<unknown>[] = [];
    const outcomes = await runSuite(
      ['authorization', '--url', stack.urls['tool-hub'], '--spec-version', revision, ...client],
      // The suite prints the URL that a person must open.
      (line) => {
        if (line.startsWith(stack.urls['tool-hub'])) signedIn.push(signIn(line, redirectUri));
      },
    );
    await Promise.all(signedIn);
    expect(signedIn).toHaveLength(1);
    expect(Object.fromEntries([...outcomes].map(([check, { status }]) => [check, status]))).toEqual({
      'authorization-server-metadata-endpoint: AuthorizationServerMetadata': 'SUCCESS',
      ...(revision >= '2025-11-25' && {
        'authorization-server-metadata-endpoint: AuthorizationServerMetadataCIMD': 'SUCCESS',
      }),
      'authorization-code-grant: AuthorizationCodeGrant': 'SUCCESS',
    });
  });
});

async function signIn(url: string, redirectUri: string): Promise<void> {
  const callback = await createBrowser().signIn(url, redirectUri, scene.USERS.alice.email, scene.PASSWORD);
  await fetch(callback);
}
