import * as openid from 'openid-client';
import { CliError } from '../command-line/cli-error.ts';
import { EXIT } from '../command-line/exit-codes.ts';
import type { Profile } from '../identity/profile-file.ts';
import { discover } from '../identity/renewal.ts';
import type { Io } from '../terminal/io.ts';
import { type Redirection, startLoopbackServer } from './loopback-server.ts';
import { pastedResponse } from './pasted-response.ts';
import { refusalIn } from './token-refusal.ts';

const SCOPE = 'openid email profile offline_access';
const TIME_LIMIT_MS = 300_000;

interface Wanted {
  readonly issuer: string;
  readonly clientId: string;
  /** The management API, for which an access token is requested too (RFC 8707) */
  readonly api?: string;
  /** The user pastes the authorization response; otherwise this computer receives it. */
  readonly isPasted: boolean;
  /** The command to type after a failure */
  readonly again: string;
  /** What to report if the identity provider does not know the management API */
  readonly unknownApi?: Remedy;
  /** What to report if the identity provider does not accept the client */
  readonly refusedClient?: Remedy;
  /** Default: none, as of a public client */
  readonly authentication?: openid.ClientAuth;
  readonly scope?: string;
}

interface SignInTokens {
  readonly idToken: string;
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
}

/**
 * Signs in with the browser, and returns what a profile holds.
 * @param show opens the address for the user
 * @throws {CliError}
 */
export async function signIn(
  io: Io,
  wanted: Wanted & { readonly hub?: string },
  show: (authorizationUrl: string) => Promise<void>,
): Promise<Profile> {
  const { issuer, clientId, api, hub } = wanted;
  const tokens = await obtainTokens(io, wanted, show);
  return {
    issuer,
    clientId,
    ...(hub && { hub }),
    ...(api && { api, accessToken: tokens.accessToken }),
    idToken: tokens.idToken,
    ...(tokens.refreshToken && { refreshToken: tokens.refreshToken }),
  };
}

/**
 * Signs in with the browser: authorization code with PKCE (S256), state and nonce, with a loopback redirect (RFC 8252).
 * @param show opens the address for the user
 * @throws {CliError}
 */
export async function obtainTokens(
  io: Io,
  wanted: Wanted,
  show: (authorizationUrl: string) => Promise<void>,
): Promise<SignInTokens> {
  const { issuer, clientId, api, isPasted, again, authentication, scope = SCOPE } = wanted;
  const failed = failureOf(wanted);
  const client = await discover(io, issuer, clientId, authentication);
  const redirection = isPasted ? pastedResponse(io, again) : await startLoopbackServer();
  try {
    const checks = {
      pkceCodeVerifier: openid.randomPKCECodeVerifier(),
      expectedState: openid.randomState(),
      expectedNonce: openid.randomNonce(),
      idTokenExpected: true,
    };
    const authorizationUrl = openid.buildAuthorizationUrl(client, {
      redirect_uri: redirection.redirectUri,
      scope,
      // Without `prompt=consent` a provider may omit the refresh token (OpenID Connect Core §11).
      prompt: 'consent',
      code_challenge: await openid.calculatePKCECodeChallenge(checks.pkceCodeVerifier),
      code_challenge_method: 'S256',
      state: checks.expectedState,
      nonce: checks.expectedNonce,
      ...(api && { resource: api }),
    });
    if (!/^https?:$/.test(authorizationUrl.protocol))
      throw failed('its authorization endpoint is not an http or https URL');
    await show(authorizationUrl.href);
    io.signal.throwIfAborted();
    const tokens = await redeem(io, client, redirection, checks, api, failed);
    const { id_token: idToken } = tokens;
    if (!idToken) throw failed('it returned no ID token');
    const { access_token: accessToken, refresh_token: refreshToken } = tokens;
    return { idToken, accessToken, refreshToken };
  } finally {
    redirection.close();
  }
}

async function redeem(
  io: Io,
  client: openid.Configuration,
  redirection: Redirection,
  checks: openid.AuthorizationCodeGrantChecks,
  api: string | undefined,
  failed: Failed,
) {
  const { url, answer } = await unlessLate(io, redirection.response, failed);
  try {
    // Before the code is sent anywhere, this checks `state` and, if the provider sends it, `iss` (RFC 9207).
    const tokens = await openid.authorizationCodeGrant(client, url, checks, api ? { resource: api } : {});
    answer('You are signed in. You can close this page.', true);
    return tokens;
  } catch (cause) {
    answer('The sign-in failed. The terminal says why.', false);
    io.signal.throwIfAborted();
    throw failed(reasonOf(cause), cause);
  }
}

async function unlessLate<Result>(
  io: Io,
  work: (limit: AbortSignal) => Promise<Result>,
  failed: Failed,
): Promise<Result> {
  const isOver = new AbortController();
  const limit = AbortSignal.any([io.signal, AbortSignal.timeout(TIME_LIMIT_MS)]);
  return new Promise<Result>((resolve, reject) => {
    limit.addEventListener(
      'abort',
      () => reject(io.signal.aborted ? io.signal.reason : failed('nobody signed in within five minutes')),
      { once: true, signal: isOver.signal },
    );
    work(limit).then(resolve, reject);
  }).finally(() => isOver.abort());
}

function reasonOf(cause: unknown): string {
  if (cause instanceof openid.AuthorizationResponseError || cause instanceof openid.ResponseBodyError)
    return cause.error_description ? `${cause.error} (${cause.error_description})` : cause.error;
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  return inner instanceof Error ? inner.message : 'unknown reason';
}

interface Remedy {
  readonly message: string;
  /** The command to type */
  readonly next: string;
}

type Failed = (reason: string, cause?: unknown) => CliError;

const failureOf =
  ({
    issuer,
    again,
    unknownApi,
    refusedClient,
  }: Pick<Wanted, 'issuer' | 'again' | 'unknownApi' | 'refusedClient'>): Failed =>
  (reason, cause) => {
    const error = refusalIn(cause)?.error ?? Object(cause).error;
    const isClientRefused = error === 'invalid_client' || error === 'unauthorized_client';
    const special = error === 'invalid_target' ? unknownApi : isClientRefused ? refusedClient : undefined;
    const message = `The sign-in at ${issuer} failed: ${reason}.`;
    return new CliError({
      exitCode: EXIT.signIn,
      code: 'sign_in_failed',
      message: special ? `${message} ${special.message}` : message,
      next: special?.next ?? again,
      cause,
    });
  };
