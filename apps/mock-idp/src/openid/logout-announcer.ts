import type { OpenIdEngine } from '@legate/authorization-server';
import type { Logger } from '@legate/service';
import type { Directory } from '../directory/directory.ts';

/** oidc-provider makes and sends the logout token by this method, which its types leave out. */
interface Notified {
  backchannelLogout(userId: string, sid: string | undefined): Promise<void>;
}

const isNotified = (client: object): client is Notified =>
  'backchannelLogout' in client && typeof client.backchannelLogout === 'function';

/**
 * Sends every subscribed client a logout token for all sign-ins of a user: `sub` without `sid`, once and in parallel.
 * oidc-provider itself handles a single sign-in, when somebody signs out.
 * @see OpenID Connect Back-Channel Logout §2.3
 */
export function createLogoutAnnouncer(deps: {
  engine: OpenIdEngine;
  directory: Directory;
  log: Logger;
}): (userId: string) => Promise<void> {
  const { engine, directory, log } = deps;
  return async (userId) => {
    const wanting = (await directory.clients.list()).filter(
      ({ backchannelLogoutUri }) => backchannelLogoutUri,
    );
    await Promise.all(
      wanting.map(async ({ clientId }) => {
        try {
          const client = await engine.provider().Client.find(clientId);
          if (client && isNotified(client)) await client.backchannelLogout(userId, undefined);
          log.info({ client_id: clientId }, 'logout token sent to a client');
        } catch (err) {
          log.warn({ err, client_id: clientId }, 'logout token not accepted by a client');
        }
      }),
    );
  };
}
