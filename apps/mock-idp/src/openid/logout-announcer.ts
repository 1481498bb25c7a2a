import type { OpenIdEngine } from '@legate/authorization-server';
import type { Logger } from '@legate/service';
import type { Directory } from '../directory/directory.ts';

/** The method of oidc-provider that creates and sends a logout token, missing from its types. */
interface Notified {
  backchannelLogout(userId: string, sid: string | undefined): Promise<void>;
}

const isNotified = (client: object): client is Notified =>
  'backchannelLogout' in client && typeof client.backchannelLogout === 'function';

/**
 * Sends every subscribed client one logout token for all sign-ins of a user (`sub` without `sid`), to all clients in
 * parallel. When a user signs out of a single session, oidc-provider itself sends the token.
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
