import { CliError } from '../command-line/cli-error.ts';
import { type Context, text } from '../command-line/command.ts';
import { EXIT } from '../command-line/exit-codes.ts';
import { type Addresses, addressesFromEnvironment, developmentAddresses, isLoopback } from './addresses.ts';
import { currentProfile } from './current-profile.ts';
import { DEVELOPMENT_USER, developmentTokens, findDevelopmentIssuer } from './development-tokens.ts';
import { DEFAULT_PROFILE, type Profile, profilePath, readProfile } from './profile-file.ts';
import { loginCommand } from './sign-in-again.ts';

/** The identity of a command, and the services that it uses. */
export interface Identity {
  readonly source: 'environment' | 'development' | 'profile';
  /** @throws {CliError} if the URL of the hub is not configured */
  readonly hub: () => string;
  readonly api: () => string;
  readonly issuer: string | undefined;
  /** The user's ID token, or the value of `LEGATE_TOKEN` */
  readonly idToken: () => Promise<string>;
  /** An access token for the management API, or the value of `LEGATE_TOKEN` */
  readonly apiToken: () => Promise<string>;
  /** The command to type to sign in */
  readonly signIn: string;
}

export const PROFILE_OPTION = { profile: text('name', 'use this profile of `legate login`') };
/** Options of commands that act as a user */
export const IDENTITY_OPTIONS = {
  ...PROFILE_OPTION,
  user: text('email', 'act as this user of the development identity provider'),
};

/** Chooses the identity of a command: see `docs/reference/cli.md`. @throws {CliError} 3 without a sign-in */
export async function findIdentity(
  context: Context,
  options: { readonly profile?: string | undefined; readonly user?: string | undefined },
): Promise<Identity> {
  const { env } = context.io;
  const named = addressesFromEnvironment(env);
  const development = { ...developmentAddresses(env), ...named };
  const isNamed = options.user !== undefined || options.profile !== undefined;
  if (env.LEGATE_TOKEN && !isNamed) return byToken(env.LEGATE_TOKEN, development);
  const user = options.user ?? (options.profile === undefined ? env.LEGATE_USER : undefined);
  if (user) return byDevelopment(context, development, user);

  const name = options.profile ?? env.LEGATE_PROFILE;
  const path = profilePath(env, name ?? DEFAULT_PROFILE);
  const profile = await readProfile(path);
  const isMeant = profile && (named.issuer === undefined || named.issuer === profile.issuer);
  if (isMeant) return byProfile(context, path, profile, named);
  if (!name && (await findDevelopmentIssuer(context.io, development.issuer)) !== undefined)
    return byDevelopment(context, development, DEVELOPMENT_USER);
  throw new CliError({
    exitCode: EXIT.signIn,
    code: 'sign_in_required',
    message: name
      ? `There is no profile ${name}${named.issuer ? ` of ${named.issuer}` : ''}.`
      : `You are not signed in, and no development stack answers at ${development.issuer} (legate start).`,
    next: `legate login ${named.issuer ?? '<issuer>'}${name ? ` --profile ${name}` : ''}`,
  });
}

function byToken(token: string, addresses: Addresses): Identity {
  return {
    source: 'environment',
    hub: () => addresses.hub,
    api: () => addresses.api,
    issuer: undefined,
    idToken: async () => token,
    apiToken: async () => token,
    signIn: 'unset LEGATE_TOKEN',
  };
}

function byDevelopment({ io, out }: Context, addresses: Addresses, user: string): Identity {
  const { hub, api, issuer } = addresses;
  const tokens = developmentTokens(io, issuer, user);
  out.note(`Acting as ${user} of the development identity provider at ${issuer}.`);
  return {
    source: 'development',
    hub: () => hub,
    api: () => api,
    issuer,
    idToken: tokens.idToken,
    apiToken: () => tokens.accessToken(api),
    signIn: `legate whoami --user ${DEVELOPMENT_USER}`,
  };
}

function byProfile({ io }: Context, path: string, profile: Profile, named: Partial<Addresses>): Identity {
  const { issuer } = profile;
  const local = isLoopback(issuer) ? developmentAddresses(io.env) : {};
  const addresses: Partial<Addresses> = {
    ...local,
    ...(profile.hub && { hub: profile.hub }),
    ...(profile.api && { api: profile.api }),
    ...named,
  };
  const known = (part: 'hub' | 'api') => () => {
    const address = addresses[part];
    if (address !== undefined) return address;
    throw new CliError({
      exitCode: EXIT.usage,
      code: 'address_unknown',
      message: `Neither the profile nor LEGATE_${part.toUpperCase()} has the address of the ${part === 'hub' ? 'hub' : 'management API'}.`,
      next: `${loginCommand(profile, io.env)} --${part} <url>`,
    });
  };
  return {
    source: 'profile',
    hub: known('hub'),
    api: known('api'),
    issuer,
    idToken: async () => (await currentProfile(io, path, profile)).idToken,
    async apiToken() {
      const { accessToken, api } = await currentProfile(io, path, profile);
      if (accessToken !== undefined && api === known('api')()) return accessToken;
      throw new CliError({
        exitCode: EXIT.signIn,
        code: 'sign_in_required',
        message: 'The sign-in of this profile is not for this management API.',
        next: loginCommand({ ...profile, api: known('api')() }, io.env),
      });
    },
    signIn: loginCommand(profile, io.env),
  };
}
