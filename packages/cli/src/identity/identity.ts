import { CliError } from '../command-line/cli-error.ts';
import { type Context, text } from '../command-line/command.ts';
import { EXIT } from '../command-line/exit-codes.ts';
import {
  type Address,
  addressesFromEnvironment,
  addressText,
  developmentAddress,
  isLoopback,
  isSameUrl,
  type Service,
} from './addresses.ts';
import { currentProfile } from './current-profile.ts';
import { DEVELOPMENT_USER, developmentTokens, findDevelopmentIssuer } from './development-tokens.ts';
import { DEFAULT_PROFILE, type Profile, profilePath, readProfile } from './profile-file.ts';
import { completeLoginCommand, loginCommand } from './sign-in-again.ts';
import { startCommand } from './unreachable.ts';

type HubAndApi = Readonly<Record<'hub' | 'api', Address>>;

/** The identity of a command, and the services that it uses. */
export interface Identity {
  readonly source: 'environment' | 'development' | 'profile';
  /** The addresses that are configured */
  readonly addresses: Partial<HubAndApi>;
  /** @throws {CliError} if the URL of the hub is not configured */
  readonly hub: () => Address;
  readonly api: () => Address;
  readonly issuer: string | undefined;
  /** The user's ID token, or the value of `LEGATE_TOKEN` */
  readonly idToken: () => Promise<string>;
  /** An access token for the management API, or the value of `LEGATE_TOKEN` */
  readonly apiToken: () => Promise<string>;
  /** The command to type if this service refuses the token: signs in, or corrects the address */
  readonly signIn: (at: keyof HubAndApi) => string;
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
  const ofStack = (service: Service) => named[service] ?? developmentAddress(env, service);
  const development = { hub: ofStack('hub'), api: ofStack('api'), issuer: ofStack('issuer') };
  const isNamed = options.user !== undefined || options.profile !== undefined;
  if (env.LEGATE_TOKEN && !isNamed) return byToken(env.LEGATE_TOKEN, development);
  const user = options.user ?? (options.profile === undefined ? env.LEGATE_USER : undefined);
  if (user) return byDevelopment(context, development, user);

  const name = options.profile ?? env.LEGATE_PROFILE;
  const path = profilePath(env, name ?? DEFAULT_PROFILE);
  const profile = await readProfile(path);
  const isMeant = profile && (named.issuer === undefined || isSameUrl(named.issuer.url, profile.issuer));
  if (isMeant) return byProfile(context, path, profile, named);
  if (!name && (await findDevelopmentIssuer(context.io, development.issuer.url)) !== undefined)
    return byDevelopment(context, development, DEVELOPMENT_USER);
  const signIn = `legate login ${named.issuer?.url ?? '<issuer>'}`;
  const refuse = (message: string, next: string) =>
    new CliError({ exitCode: EXIT.signIn, code: 'sign_in_required', message, next });
  if (name) {
    const of = named.issuer ? ` of ${addressText(named.issuer)}` : '';
    throw refuse(`There is no profile ${name}${of}.`, `${signIn} --profile ${name}`);
  }
  const { issuer } = development;
  if (!isLoopback(issuer.url)) throw refuse(`You are not signed in at ${addressText(issuer)}.`, signIn);
  const canStart = context.io.clone() !== undefined && startCommand(context.io, 'issuer', issuer.url);
  throw refuse(
    `You are not signed in (legate login), and no development stack responds at ${addressText(issuer)}.`,
    canStart || signIn,
  );
}

function byToken(token: string, { hub, api }: HubAndApi): Identity {
  return {
    source: 'environment',
    addresses: { hub, api },
    hub: () => hub,
    api: () => api,
    issuer: undefined,
    idToken: async () => token,
    apiToken: async () => token,
    signIn: () => 'unset LEGATE_TOKEN',
  };
}

function byDevelopment(
  context: Context,
  { hub, api, issuer }: HubAndApi & { readonly issuer: Address },
  user: string,
): Identity {
  const tokens = developmentTokens(context, issuer, user);
  const unset = (at: keyof HubAndApi) =>
    unsetCommand({ hub, api }[at], developmentAddress(context.io.env, at).url);
  context.out.note(`Acting as ${user} of the development identity provider at ${issuer.url}.`);
  return {
    source: 'development',
    addresses: { hub, api },
    hub: () => hub,
    api: () => api,
    issuer: issuer.url,
    idToken: tokens.idToken,
    apiToken: () => tokens.accessToken(api, unset('api')),
    signIn: (at) => unset(at) ?? `legate whoami --user ${DEVELOPMENT_USER}`,
  };
}

function byProfile(
  { io }: Context,
  path: string,
  profile: Profile,
  named: ReturnType<typeof addressesFromEnvironment>,
): Identity {
  const { issuer } = profile;
  const addressOf = (part: 'hub' | 'api'): Address | undefined => {
    const url = profile[part];
    if (named[part]) return named[part];
    if (url) return { url, source: 'profile' };
    return isLoopback(issuer) ? developmentAddress(io.env, part) : undefined;
  };
  const [hub, api] = [addressOf('hub'), addressOf('api')];
  const addresses = { ...(hub && { hub }), ...(api && { api }) };
  const known = (part: 'hub' | 'api') => () => {
    const address = addresses[part];
    if (address !== undefined) return address;
    throw new CliError({
      exitCode: EXIT.usage,
      code: 'address_unknown',
      message: `Neither the profile nor LEGATE_${part.toUpperCase()} has the address of the ${part === 'hub' ? 'hub' : 'management API'}.`,
      next: completeLoginCommand(profile, io.env),
    });
  };
  return {
    source: 'profile',
    addresses,
    hub: known('hub'),
    api: known('api'),
    issuer,
    idToken: async () => (await currentProfile(io, path, profile)).idToken,
    async apiToken() {
      const { accessToken, api } = await currentProfile(io, path, profile);
      const used = known('api')();
      if (accessToken !== undefined && api !== undefined && isSameUrl(api, used.url)) return accessToken;
      throw new CliError({
        exitCode: EXIT.signIn,
        code: 'sign_in_required',
        message: `The sign-in of this profile is not for the management API at ${addressText(used)}.`,
        next: unsetCommand(used, api) ?? loginCommand({ ...profile, api: used.url }, io.env),
      });
    },
    signIn: (at) => unsetCommand(addresses[at], profile[at]) ?? loginCommand(profile, io.env),
  };
}

/** Suggests to unset `LEGATE_HUB` or `LEGATE_API` where a command would otherwise use another address. */
function unsetCommand(used: Address | undefined, otherwise: string | undefined): string | undefined {
  if (used === undefined || otherwise === undefined || isSameUrl(used.url, otherwise)) return undefined;
  return /^LEGATE_/.test(used.source) ? `unset ${used.source}` : undefined;
}
