import { setTimeout as delay } from 'node:timers/promises';
import { USERS } from '../scene/scene.ts';
import { type SignedIn, signIn } from '../scene/sign-in.ts';
import type { ServiceUrls } from '../stack/services.ts';
import { BOUND_TOOLS, createBoundAgent } from './bound-agent.ts';
import { codeOf, DemoFailed, expectStatus } from './expect-status.ts';
import type { Exchange } from './http.ts';
import type { Legs } from './legs.ts';
import type { Printer } from './printer.ts';
import { callAsUnknownClient, subjectOf } from './unknown-client.ts';

export async function showUnknownClient(urls: ServiceUrls, print: Printer): Promise<void> {
  print.chapter('8. An MCP client that has never heard of Legate');
  print.say(
    'It gets the address of the hub’s MCP endpoint, as Claude Code or an editor would, and finds out the rest. Alice signs in ' +
      'at the identity provider, and the hub asks whether the client may act for them.',
  );
  const called = expectStatus(await callAsUnknownClient(urls, print), 200, 'tool call of an MCP client');
  if (subjectOf(called) !== USERS.alice.id) throw new DemoFailed('the tool did not run as Alice');
  print.line();
  print.exchange(called);
}

export async function showBoundAgent(
  urls: ServiceUrls,
  legs: Legs,
  alice: SignedIn,
  print: Printer,
): Promise<void> {
  print.chapter('9. An agent that may use two tools tries a third');
  print.say(
    `An administrator binds an agent to ${BOUND_TOOLS.join(' and ')}. The application opens a session for it, and the agent gets ` +
      'the handle instead of Alice’s ID token: it acts as that agent, whatever it says.',
  );
  const { accessToken } = await signIn({
    issuer: urls['mock-idp'],
    email: USERS.alice.email,
    resource: urls['management-api'],
  });
  const agent = await createBoundAgent(urls, { administrator: accessToken, idToken: alice.idToken });
  const asAnother = { 'Legate-Agent-Id': 'agt_another' };
  const rows: [string, Exchange, number][] = [
    ['the application, with the ID token', await legs.callThroughHub(alice.idToken, 'whoami'), 200],
    ['the agent: whoami', await agent.call('whoami'), 200],
    ['the agent: list_notes', await agent.call('list_notes'), 200],
    ['the agent: create_note', await agent.call('create_note'), 404],
    ['the agent, as another agent', await agent.call('whoami', asAnother), 403],
    ['an administrator deletes the agent', await agent.remove(), 204],
    ['the agent: whoami', await untilEnded(() => agent.call('whoami')), 401],
  ];
  expectStatus(await agent.purge(), 204, 'purge of the agent');
  for (const [what, answer, status] of rows) expectStatus(answer, status, what);
  print.table(rows.map(([what, answer]) => [what, `${answer.status}`, codeOf(answer) ?? '']));
}

/**
 * The hub is notified of an administrator's changes a moment later. The deletion of the agent may reach it before the
 * end of the agent's sessions: it refuses with 403 in the first case, and with 401 in the second.
 */
async function untilEnded(call: () => Promise<Exchange>): Promise<Exchange> {
  let answer = await call();
  for (let tries = 1; answer.status !== 401 && tries < 50; tries += 1) {
    await delay(100);
    answer = await call();
  }
  return answer;
}
