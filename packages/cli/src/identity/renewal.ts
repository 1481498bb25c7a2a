import * as openid from 'openid-client';
import { CliError } from '../command-line/cli-error.ts';
import { EXIT } from '../command-line/exit-codes.ts';
import type { Io } from '../terminal/io.ts';
import { isLoopback, withoutSlash } from './addresses.ts';
import { findDevelopmentIssuer } from './development-tokens.ts';
import type { Profile } from './profile-file.ts';
import { loginCommand, signInAgain } from './sign-in-again.ts';
import { startCommand } from './unreachable.ts';

/**
 * Discovers an identity provider.
 * @param authentication of the client; default: none, as of a public client
 * @throws {CliError} 5 if it does not respond
 */
export async function discover(
  io: Io,
  issuer: string,
  clientId: string,
  authentication: openid.ClientAuth = openid.None(),
): Promise<openid.Configuration> {
  try {
    const configuration = await openid.discovery(new URL(issuer), clientId, undefined, authentication, {
      execute: isLoopback(issuer) ? [openid.allowInsecureRequests] : [],
      [openid.customFetch]: guarded(io),
    });
    configuration[openid.customFetch] = guarded(io);
    return configuration;
  } catch (cause) {
    io.signal.throwIfAborted();
    const there = await findDevelopmentIssuer(io, issuer);
    if (there !== undefined && there !== issuer)
      throw new CliError({
        exitCode: EXIT.usage,
        code: 'another_issuer',
        message: `The identity provider at ${issuer} has another issuer: ${there}.`,
        next: `legate login ${there}`,
        cause,
      });
    const look = `curl ${withoutSlash(issuer)}/.well-known/openid-configuration`;
    throw new CliError({
      exitCode: EXIT.unavailable,
      code: 'discovery_failed',
      message: `No OpenID provider was found at ${issuer}: ${reasonOf(cause)}.`,
      next: isNoAnswer(cause) ? (startCommand(io, 'issuer', issuer) ?? look) : look,
      cause,
    });
  }
}

/** `fetch` reports a failed connection in this way. */
const isNoAnswer = (cause: unknown): boolean => cause instanceof TypeError;

/** Returns the message of an error; the message of a failed `fetch` does not say more than that, so adds its code. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const { code } = Object(cause.cause);
  return isNoAnswer(cause) && typeof code === 'string' ? `${cause.message} (${code})` : cause.message;
}

const guarded =
  ({ fetch, signal }: Io): openid.CustomFetch =>
  (url, { body, signal: own, ...init }) =>
    fetch(url, {
      ...init,
      ...(body !== undefined && { body }),
      signal: own ? AbortSignal.any([signal, own]) : signal,
    });

/** Redeems the refresh token of a profile. @throws {CliError} 3 if only a new sign-in helps */
export async function renew(io: Io, profile: Profile): Promise<Profile> {
  const { issuer, clientId, api, refreshToken } = profile;
  if (refreshToken === undefined) throw signInAgain(io.env, profile, 'The sign-in has expired.');
  const configuration = await discover(io, issuer, clientId);
  try {
    const tokens = await openid.refreshTokenGrant(configuration, refreshToken, api ? { resource: api } : {});
    return {
      ...profile,
      idToken: tokens.id_token ?? profile.idToken,
      ...(api && { accessToken: tokens.access_token }),
      refreshToken: tokens.refresh_token ?? refreshToken,
    };
  } catch (cause) {
    io.signal.throwIfAborted();
    if (cause instanceof openid.ResponseBodyError && cause.error === 'invalid_grant')
      throw signInAgain(io.env, profile, 'The identity provider refuses to renew this sign-in.');
    throw new CliError({
      exitCode: EXIT.unavailable,
      code: 'renewal_failed',
      message: `${issuer} did not renew the sign-in: ${cause instanceof Error ? cause.message : cause}.`,
      next: loginCommand(profile, io.env),
      cause,
    });
  }
}
