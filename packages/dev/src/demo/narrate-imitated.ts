import { hasHubKey } from '../stack/hub-keys.ts';
import { type ImitatedName, kindOf } from '../stack/imitated.ts';
import { type ServiceUrls, stackIssuer } from '../stack/services.ts';
import { createLegs } from './legs.ts';
import { showHub, showSignIn } from './narrate.ts';
import type { Printer } from './printer.ts';

/**
 * Shows a tool call with an imitated provider, if it exchanges the ID token of a sign-in for ID-JAGs. The legs cannot be
 * shown one by one: the demo has no credentials of the hub there.
 * @throws {DemoFailed} if a step fails
 */
export async function narrateImitated(idp: ImitatedName, urls: ServiceUrls, print: Printer): Promise<void> {
  const kind = kindOf(idp);
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
