import { usageError } from '../command-line/cli-error.ts';

/** The URLs of the services */
export interface Addresses {
  readonly hub: string;
  readonly api: string;
  readonly issuer: string;
}

export type Service = keyof Addresses;

/** The URL of a service, and what set it */
export interface Address {
  readonly url: string;
  /** An environment variable, an option, `profile` or `default` */
  readonly source: string;
}

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/;

export const isLoopback = (url: string): boolean =>
  URL.canParse(url) && new URL(url).protocol === 'http:' && LOOPBACK.test(new URL(url).hostname);

/**
 * Returns the address of a service as it was typed, because issuers (RFC 8414 §3.3) and resources (RFC 8707 §2) are
 * compared byte for byte.
 * @param next the command to type after a refusal
 * @throws {CliError} for an address to which no token should be sent: only https, or http on this computer, is allowed
 */
export function serviceUrl(name: string, value: string, next = 'legate login --help'): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const isSafe = url?.protocol === 'https:' || isLoopback(value);
  // `URL` would drop spaces and line breaks.
  if (!url || !isSafe || url.username || url.password || !/^https?:\/\/[^\s?#]+$/i.test(value))
    throw usageError(
      `${name} must be an https URL (http is allowed on this computer) without user name, spaces, query and fragment, since tokens are sent there${/[@?#]/.test(value) ? '' : `; it is ${value}`}.`,
      next,
    );
  return value;
}

/** Returns an address to which a path can be added. */
export const withoutSlash = (url: string): string => url.replace(/\/$/, '');

/** Tells if two addresses differ at most in how they are written, such as in the slash after a host. */
export const isSameUrl = (one: string, other: string): boolean =>
  URL.canParse(one) && URL.canParse(other) && new URL(one).href === new URL(other).href;

const PORTS = {
  api: ['MANAGEMENT_API_PORT', 4000],
  hub: ['TOOL_HUB_PORT', 4001],
  issuer: ['MOCK_IDP_PORT', 4002],
} as const;

/** The address of a service in the development stack. The variables that configure its ports (`npm start`) are used here too. */
export function developmentAddress(env: NodeJS.ProcessEnv, service: Service): Address {
  const [variable, standard] = PORTS[service];
  const port = env[variable];
  return { url: `http://localhost:${port || standard}`, source: port ? variable : 'default' };
}

/** The URLs of the development stack */
export const developmentAddresses = (env: NodeJS.ProcessEnv): Addresses => ({
  api: developmentAddress(env, 'api').url,
  hub: developmentAddress(env, 'hub').url,
  issuer: developmentAddress(env, 'issuer').url,
});

/** Addresses from `LEGATE_HUB`, `LEGATE_API` and `LEGATE_ISSUER`. @throws {CliError} for an unsafe one */
export function addressesFromEnvironment(env: NodeJS.ProcessEnv): Partial<Record<Service, Address>> {
  const from = (source: string): Address | undefined => {
    const url = env[source];
    return url ? { url: serviceUrl(source, url, `export ${source}=<url>`), source } : undefined;
  };
  const [hub, api, issuer] = [from('LEGATE_HUB'), from('LEGATE_API'), from('LEGATE_ISSUER')];
  return { ...(hub && { hub }), ...(api && { api }), ...(issuer && { issuer }) };
}

/** Returns an address with what set it, for people. */
export const addressText = ({ url, source }: Address): string => {
  if (source === 'default') return `${url} (the default)`;
  return `${url} (from ${source === 'profile' ? 'the profile' : source})`;
};
