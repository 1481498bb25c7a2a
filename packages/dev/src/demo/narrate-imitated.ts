import { IDP_CLIENTS, USERS } from '../scene/scene.ts';
import { signIn } from '../scene/sign-in.ts';
import { hasHubKey } from '../stack/hub-keys.ts';
import { type ImitatedName, kindOf } from '../stack/imitated.ts';
import { type ServiceUrls, stackIssuer } from '../stack/services.ts';
import { expectStatus } from './expect-status.ts';
import { type Exchange, exchange, text } from './http.ts';
import { createLegs } from './legs.ts';
import { showHub, showSignIn } from './narrate.ts';
import type { Printer } from './printer.ts';
import { showExchange } from './show-exchange.ts';

/**
 * Shows a tool call with an imitated provider, if it exchanges any token. The legs cannot be shown one by one: the demo has no
 * credentials of the hub there.
 * @throws {DemoFailed} if a step fails
 */
export async function narrateImitated(idp: ImitatedName, urls: ServiceUrls, print: Printer): Promise<void> {
  const kind = kindOf(idp);
  if (kind.idJagSubject === undefined && kind.exchange !== undefined) return showExchange(idp, urls, print);
  if (kind.idJagSubject === 'refresh_token') return showSession(idp, urls, print);
  if (kind.idJagSubject !== 'id_token') return;
  const alice = await showSignIn(stackIssuer(urls, idp), print);
  if (hasHubKey(kind)) {
    print.line();
    print.say(
      `The hub has no secret there: it signs an assertion for each request with a key of its own, and the provider ` +
        `knows only the public key, which is also at ${urls['tool-hub']}/oauth/client-jwks.json.`,
    );
  }
  await showHub(createLegs(urls), alice, print, '2. The hub calls a tool as Alice');
}

/** Shows a call in a session: the provider exchanges a refresh token, which only the hub may use. */
async function showSession(idp: ImitatedName, urls: ServiceUrls, print: Printer): Promise<void> {
  print.chapter('1. Alice signs in at the client of the hub, and the application opens a session');
  print.say(
    'The provider exchanges refresh tokens for ID-JAGs. The application gives that of this sign-in to the hub.',
  );
  const session = await openSession(stackIssuer(urls, idp), urls);
  print.exchange(session);
  const handle = text(session.answer, 'session');
  print.chapter('2. The hub calls a tool as Alice');
  const legs = createLegs(urls);
  print.exchange(expectStatus(await legs.callThroughHub(handle, 'whoami'), 200, 'call in a session'));
}

/** Opens a session of Alice with the tokens of a sign-in at the hub's own client. @throws {DemoFailed} */
async function openSession(issuer: string, urls: ServiceUrls): Promise<Exchange> {
  const { idToken, refreshToken } = await signIn({
    issuer,
    email: USERS.alice.email,
    client: IDP_CLIENTS.hub,
    scope: 'openid offline_access',
  });
  const opened = await exchange(
    'POST',
    `${urls['tool-hub']}/api/v1/sessions`,
    { json: { refresh_token: refreshToken } },
    { Authorization: `Bearer ${idToken}` },
  );
  return expectStatus(opened, 201, 'POST /api/v1/sessions');
}
