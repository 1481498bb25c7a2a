import { afterAll, beforeAll, expect } from '@jest/globals';
import { exchange, scene, signIn, text } from '@legate/dev';
import { eventually, needs } from '@legate/testing';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { type StackUnderTest, startStackUnderTest } from '../stack-under-test.ts';

const { it } = needs('time');

/** Tests that version 2 of the official SDK can listen for changes through the hub. */

let stack: StackUnderTest;
beforeAll(async () => {
  stack = await startStackUnderTest();
});
afterAll(() => stack?.stop());

/** A client that listens for changes of the tools, and how often it was notified */
async function listenAs(email: string) {
  const { idToken } = await signIn({ issuer: stack.urls['mock-idp'], email });
  const client = new Client({ name: 'agent', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  let notified = 0;
  client.setNotificationHandler('notifications/tools/list_changed', () => {
    notified += 1;
  });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${stack.urls['tool-hub']}/mcp`), {
      authProvider: { token: async () => idToken },
    }),
  );
  const subscription = await client.listen({ toolsListChanged: true });
  return {
    client,
    subscription,
    notified: () => notified,
  };
}

it('notifies an agent of a new connector, but no one in another organization', async () => {
  const alice = await listenAs(scene.USERS.alice.email);
  const carol = await listenAs(scene.USERS.carol.email);
  expect(alice.client.getServerCapabilities()?.tools).toEqual({ listChanged: true });
  expect(alice.subscription.honoredFilter).toEqual({ toolsListChanged: true });

  const resource = stack.urls['management-api'];
  const owner = await signIn({ issuer: stack.urls['mock-idp'], email: scene.USERS.alice.email, resource });
  const made = await exchange(
    'POST',
    `${resource}/api/v1/connectors`,
    {
      json: {
        name: 'More tools',
        resource_url: 'https://more-tools.example',
        client_id: 'hub',
        secret: 'a-secret-of-the-hub-there',
        scopes: ['read'],
      },
    },
    { Authorization: `Bearer ${owner.accessToken}` },
  );
  expect([made.status, text(made.answer, 'name')]).toEqual([201, 'More tools']);
  await eventually('Alice to be notified of the connector', alice.notified);
  expect(carol.notified()).toBe(0);

  // The request ends with a result when the hub stops, which the SDK calls graceful.
  const ended = alice.subscription.closed;
  stack.signal('tool-hub', 'SIGTERM');
  expect(await ended).toBe('graceful');
  await Promise.all([alice.client.close(), carol.client.close()]);
});
