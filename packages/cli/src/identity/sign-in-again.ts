import { CliError } from '../command-line/cli-error.ts';
import { EXIT } from '../command-line/exit-codes.ts';
import { quote } from '../command-line/typed-line.ts';
import { addressesFromEnvironment, developmentAddress, isLoopback } from './addresses.ts';
import { DEVELOPMENT_CLIENT } from './development-tokens.ts';
import type { Profile } from './profile-file.ts';

/** What `legate login` takes where an option is missing. */
export function loginDefaults(issuer: string, env: NodeJS.ProcessEnv) {
  const isLocal = isLoopback(issuer);
  const named = addressesFromEnvironment(env);
  const addressOf = (service: 'hub' | 'api') =>
    named[service] ?? (isLocal ? developmentAddress(env, service) : undefined);
  return {
    clientId: isLocal ? DEVELOPMENT_CLIENT : undefined,
    hub: addressOf('hub'),
    api: addressOf('api'),
  };
}

/** Returns the `legate login` that makes a profile again, without options that equal their default. */
export function loginCommand(
  { issuer, ...wanted }: Pick<Profile, 'issuer' | 'clientId' | 'hub' | 'api'>,
  env: NodeJS.ProcessEnv,
): string {
  const { clientId, hub, api } = loginDefaults(issuer, env);
  const defaults = { clientId, hub: hub?.url, api: api?.url };
  const options = (['clientId', 'hub', 'api'] as const).flatMap((name) => {
    const value = wanted[name];
    return value === undefined || value === defaults[name] ? [] : [OPTIONS[name], quote(value)];
  });
  return ['legate login', quote(issuer), ...options].join(' ');
}

/**
 * Returns the `legate login` that makes a profile again with every address that it lacks. A new sign-in keeps only what
 * its options and defaults say.
 */
export function completeLoginCommand(profile: Profile, env: NodeJS.ProcessEnv): string {
  const defaults = loginDefaults(profile.issuer, env);
  const lacking = (['hub', 'api'] as const).filter((part) => (profile[part] ?? defaults[part]) === undefined);
  return [loginCommand(profile, env), ...lacking.map((part) => `${OPTIONS[part]} <url>`)].join(' ');
}

const OPTIONS = { clientId: '--client-id', hub: '--hub', api: '--api' } as const;

/** Reports that the tokens of a profile have expired and the user must sign in. */
export const signInAgain = (env: NodeJS.ProcessEnv, profile: Profile, message: string): CliError =>
  new CliError({
    exitCode: EXIT.signIn,
    code: 'sign_in_required',
    message,
    next: loginCommand(profile, env),
  });
