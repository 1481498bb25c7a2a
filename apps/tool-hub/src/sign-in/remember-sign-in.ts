import type { Caller } from '@legate/delegation';
import type { Logger } from '@legate/service';
import type { LogoutTokenMemory } from './logout-token-memory.ts';

/** Seconds for which the hub keeps an access token at most: it may outlive the ID token that it was had with. */
const ACCESS_TOKEN_SECONDS = 3600;

/**
 * Saves the user of a sign-in whose ID token was used for a delegation, so that a logout token which names only the
 * sign-in finds the user's tokens. A session saves that itself. Without the store there is no token to find either.
 */
export function createRememberSignIn(deps: {
  memory: Pick<LogoutTokenMemory, 'noteSignIn'>;
  clock: () => Date;
  log: Logger;
}): (caller: Caller) => Promise<void> {
  return async ({ userId, signIn }) => {
    if (signIn?.sid === undefined) return;
    const left = Math.max(0, Math.ceil(signIn.expiresAt - deps.clock().getTime() / 1000));
    await deps.memory.noteSignIn(signIn.sid, userId, left + ACCESS_TOKEN_SECONDS).catch((err: unknown) => {
      deps.log.warn({ err }, 'sessions: a sign-in was not noted');
    });
  };
}
