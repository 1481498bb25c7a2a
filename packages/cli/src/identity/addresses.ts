import { usageError } from '../command-line/cli-error.ts';

/** The URLs of the services */
export interface Addresses {
  readonly hub: string;
  readonly api: string;
  readonly issuer: string;
}

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/;

export const isLoopback = (url: string): boolean =>
  URL.canParse(url) && new URL(url).protocol === 'http:' && LOOPBACK.test(new URL(url).hostname);

/**
 * Returns the address of a service without a trailing slash.
 * @param of the command that was given the address
 * @throws {CliError} for an address to which no token should be sent: only https, or http on this computer, is allowed
 */
export function serviceUrl(name: string, value: string, of = 'legate login'): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const isSafe = url?.protocol === 'https:' || isLoopback(value);
  if (!url || !isSafe || url.search || url.hash || url.username)
    throw usageError(
      `${name} must be an https URL, or http on this computer, since tokens are sent there; it is ${value}.`,
      `${of} --help`,
    );
  return url.href.replace(/\/$/, '');
}

/** The URLs of the development stack. The variables that configure its ports (`npm start`) are used here too. */
export function developmentAddresses(env: NodeJS.ProcessEnv): Addresses {
  const at = (variable: string, port: number) => `http://localhost:${env[variable] || port}`;
  return {
    api: at('MANAGEMENT_API_PORT', 4000),
    hub: at('TOOL_HUB_PORT', 4001),
    issuer: at('MOCK_IDP_PORT', 4002),
  };
}

/** URLs from the environment */
export function addressesFromEnvironment(env: NodeJS.ProcessEnv): Partial<Addresses> {
  const { LEGATE_HUB, LEGATE_API, LEGATE_ISSUER } = env;
  return {
    ...(LEGATE_HUB && { hub: serviceUrl('LEGATE_HUB', LEGATE_HUB) }),
    ...(LEGATE_API && { api: serviceUrl('LEGATE_API', LEGATE_API) }),
    ...(LEGATE_ISSUER && { issuer: serviceUrl('LEGATE_ISSUER', LEGATE_ISSUER) }),
  };
}
