import { shareWhileRunning } from '@legate/single-flight';
import type { SignInReason } from './codes.ts';
import type { IdTokenSource, SessionRequest } from './options.ts';
import type { Failure, SignInRequired } from './outcome.ts';

/** The token that requests are sent with. */
export interface Bearer {
  /** @returns the token, which is obtained first if there is none yet */
  current(): Promise<string | Failure>;
  /** @returns a token to replace one that the hub refused; undefined if there is none */
  renew(refused: string): Promise<string | Failure | undefined>;
  /** @returns the user's ID token, if this client has had one; unverified, so only for texts */
  idToken(): string | undefined;
}

export const signInRequired = (reason: SignInReason, detail: string, cause?: unknown): SignInRequired => ({
  kind: 'sign_in_required',
  reason,
  detail,
  callId: undefined,
  hints: [],
  maxAge: undefined,
  acrValues: undefined,
  claims: undefined,
  cause,
});

/** Gets the application's ID tokens. All waiting calls share one request for a token. */
export function idTokenBearer(source: IdTokenSource): Bearer {
  let known: string | undefined;
  const ask = shareWhileRunning(async () => {
    // An error here is a failure of the application's sign-in. It is not thrown, because a tool that throws would end
    // the agent's run.
    let cause: unknown;
    const token: unknown = await Promise.resolve()
      .then(source)
      .catch((error: unknown) => {
        cause = error;
      });
    if (typeof token !== 'string' || token === '')
      return signInRequired('no_id_token', 'The application has no ID token for the user.', cause);
    known = token;
    return token;
  });
  return {
    current: async () => known ?? ask(),
    async renew(refused) {
      if (known !== undefined && known !== refused) return known;
      const token = await ask();
      return token === refused ? undefined : token;
    },
    idToken: () => known,
  };
}

/** Sends the handle of a session that the application has opened. Only the hub can renew the session. */
export const sessionBearer = (session: string): Bearer => ({
  current: async () => session,
  renew: async () => undefined,
  idToken: () => undefined,
});

export interface OpenedSession extends Bearer {
  /** @returns the handle; undefined if no session was opened */
  handle(): string | undefined;
}

/**
 * Opens a session when a token is first needed, and again when the hub reports that the session has ended.
 * @param open returns the handle of a new session
 */
export function openedSession(
  { refreshToken }: SessionRequest,
  idTokens: Pick<Bearer, 'idToken'>,
  open: () => Promise<string | Failure>,
): OpenedSession {
  let handle: string | undefined;
  const openOne = shareWhileRunning(async () => {
    const opened = await open();
    if (typeof opened === 'string') handle = opened;
    return opened;
  });
  return {
    handle: () => handle,
    idToken: idTokens.idToken,
    current: async () => handle ?? openOne(),
    async renew(refused) {
      if (handle !== undefined && handle !== refused) return handle;
      // The hub accepts each refresh token only once.
      return typeof refreshToken === 'string' ? undefined : openOne();
    },
  };
}
