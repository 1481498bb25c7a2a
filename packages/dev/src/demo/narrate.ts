import { randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import { IDP_ADMIN_KEY, IDP_CLIENTS, PASSWORD, USERS } from '../scene/scene.ts';
import { type SignedIn, signIn } from '../scene/sign-in.ts';
import type { ServiceUrls } from '../stack/services.ts';
import { type Attack, listAttacks } from './attacks.ts';
import { codeOf, DemoFailed, expectStatus } from './expect-status.ts';
import { type Exchange, exchange, member, text } from './http.ts';
import { createLegs, type Legs } from './legs.ts';
import type { Printer } from './printer.ts';
import { showBoundAgent, showUnknownClient } from './show-agents.ts';

/**
 * Shows on a running stack how a user's identity travels from sign-in through ID-JAG to a tool call, and how attacks
 * are refused. All requests and responses shown are real.
 * @throws {DemoFailed} if a leg fails or an attack succeeds
 */
export async function narrate(urls: ServiceUrls, print: Printer): Promise<void> {
  const legs = createLegs(urls);
  // A sign-out invalidates earlier ID tokens, so that the first call is a cache miss even on a stack used before.
  await legs.signOutOfHub((await signIn({ issuer: urls['mock-idp'], email: USERS.alice.email })).idToken);
  const alice = await showSignIn(urls['mock-idp'], print);
  await showLegs(legs, alice, print);
  await showHub(legs, alice, print);
  await showBob(urls, legs, alice, print);
  await showUnknownClient(urls, print);
  await showBoundAgent(urls, legs, alice, print);
  await showAttacks(urls, legs, alice, print);
}

/** @param title of the chapter */
export async function showSignIn(
  issuer: string,
  print: Printer,
  title = '1. Alice signs in',
): Promise<SignedIn> {
  print.chapter(title);
  print.say(
    `The application sends the browser to the identity provider (authorization code with PKCE). Alice enters ` +
      `${USERS.alice.email} and the password on its page; the application never sees the password.`,
  );
  const alice = await signIn({
    issuer,
    email: USERS.alice.email,
    onStep: print.step,
  });
  print.line();
  print.token(alice.idToken, 'idToken', 'ID token: who signed in, issued to the application');
  return alice;
}

async function showLegs(legs: Legs, alice: SignedIn, print: Printer): Promise<void> {
  print.chapter('2. Leg one: the ID token becomes an ID-JAG (token exchange, RFC 8693)');
  print.say(
    'The tool server must not get the ID token: it was not issued for it. So the hub asks the identity provider for an ' +
      'assertion made for that one server. The administrator’s policy is applied here.',
  );
  const exchanged = expectStatus(await legs.exchangeIdToken(alice.idToken), 200, 'token exchange');
  const idJag = text(exchanged.answer, 'access_token');
  print.exchange(exchanged);
  print.line();
  print.token(idJag, 'idJag', 'ID-JAG: who may be represented, by whom, where, for what');

  print.chapter('3. Leg two: the ID-JAG becomes an access token (JWT bearer grant, RFC 7523)');
  print.say('The tool server checks every claim, and issues a token that is valid at this server only.');
  const redeemed = expectStatus(await legs.redeemAssertion(idJag), 200, 'JWT bearer grant');
  const accessToken = text(redeemed.answer, 'access_token');
  print.exchange(redeemed);
  print.line();
  print.token(accessToken, 'accessToken', 'Access token: what the tool runs with');

  print.chapter('4. Leg three: the tool runs as Alice (MCP tools/call)');
  const called = expectStatus(await legs.callTool(accessToken, 'whoami'), 200, 'tool call');
  print.exchange(called);
  await showTransaction(legs, accessToken, print);
}

async function showTransaction(legs: Legs, accessToken: string, print: Printer): Promise<void> {
  print.chapter('5. The tool server calls the management API for Alice, with a transaction token');
  print.say(
    'Its tool list_sites needs the sites of Alice’s organization. The access token must not leave the tool server, which ' +
      'exchanges it at the hub for a token for this one operation and sends that beside its own.',
  );
  const exchanged = expectStatus(
    await legs.requestTransactionToken(accessToken, 'sites:list', { limit: 20, offset: 0 }),
    200,
    'transaction token',
  );
  const txnToken = text(exchanged.answer, 'access_token');
  print.exchange(exchanged);
  print.line();
  print.token(txnToken, 'txnToken', 'Transaction token: one operation, one service, once');
  const own = expectStatus(
    await legs.requestWorkloadToken(IDP_CLIENTS.toolServer, 'internal:transactions'),
    200,
    'client credentials',
  );
  const bearer = text(own.answer, 'access_token');
  const path = '/sites?limit=20&offset=0';
  print.exchange(expectStatus(await legs.callApiFor(txnToken, path, bearer), 200, 'list sites'));
  print.line();
  const again = expectStatus(await legs.callApiFor(txnToken, path, bearer), 403, 'the same token again');
  const other = expectStatus(await legs.callApiFor(txnToken, '/members', bearer), 403, 'another operation');
  print.table([
    ['the same token again', `${again.status}`, codeOf(again) ?? ''],
    ['at another operation', `${other.status}`, codeOf(other) ?? ''],
  ]);
}

export async function showHub(
  legs: Legs,
  alice: SignedIn,
  print: Printer,
  title = '6. All of it in one request: the tool hub',
): Promise<void> {
  print.chapter(title);
  print.say(
    'An application sends the ID token and the tool’s name. The hub carries out the three legs and caches the token, encrypted.',
  );
  const first = expectStatus(await legs.callThroughHub(alice.idToken, 'whoami'), 200, 'first call');
  print.exchange(first);
  const second = expectStatus(await legs.callThroughHub(alice.idToken, 'whoami'), 200, 'second call');
  print.line();
  print.table([
    ['first call', `${first.ms.toFixed(1)} ms`, `token cache: ${cacheOutcome(first)}`],
    ['second call', `${second.ms.toFixed(1)} ms`, `token cache: ${cacheOutcome(second)}`],
  ]);
}

async function showBob(urls: ServiceUrls, legs: Legs, alice: SignedIn, print: Printer): Promise<void> {
  print.chapter('7. Bob sees only the notes that belong to Bob');
  const bob = await signIn({ issuer: urls['mock-idp'], email: USERS.bob.email });
  const rows: string[][] = [];
  for (const [user, token] of [
    ['Alice', alice.idToken],
    ['Bob', bob.idToken],
  ] as const) {
    const secret = `${user}'s note of ${new Date().toISOString()}`;
    expectStatus(
      await legs.callThroughHub(token, 'create_note', { text: secret }),
      200,
      `${user}: create_note`,
    );
  }
  for (const [user, token, other] of [
    ['Alice', alice.idToken, 'Bob'],
    ['Bob', bob.idToken, 'Alice'],
  ] as const) {
    const listed = expectStatus(await legs.callThroughHub(token, 'list_notes'), 200, `${user}: list_notes`);
    const texts = noteTexts(listed.answer);
    const foreign = texts.filter((note) => note.startsWith(`${other}'s note`));
    const own = texts.filter((note) => note.startsWith(`${user}'s note`));
    if (foreign.length > 0) throw new DemoFailed(`${user} sees a note of ${other}`);
    if (own.length === 0) throw new DemoFailed(`${user} does not see the own note`);
    rows.push([`${user} lists notes`, `own: ${own.length}`, `${other}'s: ${foreign.length}`]);
  }
  print.table(rows);
}

async function showAttacks(urls: ServiceUrls, legs: Legs, alice: SignedIn, print: Printer): Promise<void> {
  print.chapter('10. What an attacker gets');
  const resource = urls['management-api'];
  const [erin, carol, aliceAtApi] = await Promise.all([
    signInWithoutOrganization(urls['mock-idp']),
    signIn({ issuer: urls['mock-idp'], email: USERS.carol.email, resource }),
    signIn({ issuer: urls['mock-idp'], email: USERS.alice.email, resource }),
  ]);
  const site = expectStatus(
    await exchange(
      'POST',
      `${resource}/api/v1/sites`,
      { json: { name: 'Customer portal', allowed_origins: ['https://portal.acme.example'] } },
      { Authorization: `Bearer ${aliceAtApi.accessToken}` },
    ),
    201,
    'POST /api/v1/sites',
  );
  const attacks = listAttacks(urls, legs, {
    alice: alice.idToken,
    erin: erin.idToken,
    carolApiToken: carol.accessToken,
    siteId: text(site.answer, 'id'),
  });
  let accepted = 0;
  for (const attack of attacks) {
    const answer = await attack.run();
    const refused = isExpected(attack, answer);
    if (!refused) accepted += 1;
    print.refusal(
      attack.name,
      `${answer.status} ${codeOf(answer) ?? JSON.stringify(answer.answer)}`,
      refused,
    );
  }
  if (accepted > 0)
    throw new DemoFailed(`${accepted} of ${attacks.length} attacks were not refused as they must be`);
  print.line();
  print.say(`${attacks.length} of ${attacks.length} refused.`);
}

/** Signs in as Erin, or as a new user if Erin belongs to an organization by now. */
async function signInWithoutOrganization(issuer: string): Promise<SignedIn> {
  const erin = await signIn({ issuer, email: USERS.erin.email });
  if (decodeJwt(erin.idToken).organization_id === undefined) return erin;
  const email = `${randomUUID()}@nowhere.example`;
  expectStatus(
    await exchange(
      'POST',
      `${issuer}/admin/users`,
      { json: { email, name: 'Somebody', password: PASSWORD } },
      { Authorization: `Bearer ${IDP_ADMIN_KEY}` },
    ),
    201,
    'POST /admin/users',
  );
  return signIn({ issuer, email });
}

export function isExpected({ expected: [status, code] }: Attack, answer: Exchange): boolean {
  return answer.status === status && codeOf(answer) === code;
}

const cacheOutcome = ({ answerHeaders }: Exchange): string =>
  answerHeaders.get('legate-token-cache') ?? 'unknown';

function noteTexts(answer: unknown): string[] {
  const notes = member(answer, 'structuredContent', 'notes');
  if (!Array.isArray(notes)) throw new DemoFailed('list_notes answered without notes');
  return notes.map((note) => text(note, 'text'));
}
