import type { OnElicitation } from './transport.ts';
import { isObject } from './wire.ts';

/** The hub, and the credentials for it. One of `idToken`, `session`, or `idToken` with `openSession`. */
export type ClientOptions = HubOptions & Credential;

interface HubOptions {
  /** The hub's `PUBLIC_URL`, without `/mcp`: https, or http on this computer */
  readonly hub: string;
  /** The agent that acts for the user: it may use only the connectors that an administrator has bound to it */
  readonly agentId?: string | undefined;
  /** `rest` (default): plain JSON. `mcp`: streams, for tools that report progress or ask their user questions */
  readonly transport?: 'rest' | 'mcp';
  /** Asks the user a tool's question; only with the transport `mcp`. Without this function such tools fail. */
  readonly onElicitation?: OnElicitation;
  /** Default: the global `fetch` */
  readonly fetch?: typeof fetch;
}

type Credential =
  | { readonly idToken: IdTokenSource; readonly openSession?: SessionRequest; readonly session?: never }
  | { readonly session: string; readonly idToken?: never; readonly openSession?: never };

/** Called when a token is needed, and again when the hub reports that it has expired. */
export type IdTokenSource = () => string | Promise<string>;

/** A session that outlives the ID token: the hub renews it with the refresh token. */
export interface SessionRequest {
  /** Passed to the hub, which must be its only user from then on. A function is called for each session. */
  readonly refreshToken?: string | (() => string | Promise<string>);
  /**
   * An access token of the same sign-in, addressed to the hub: for an identity provider that exchanges access tokens.
   * Called for each session.
   */
  readonly accessToken?: () => string | Promise<string>;
  /** The client that the refresh token was issued to; default: the client of the ID token */
  readonly clientId?: string;
}

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/;

const OPTION_NAMES = [
  ...['hub', 'agentId', 'transport', 'onElicitation', 'fetch'],
  ...['idToken', 'session', 'openSession'],
];
const SESSION_NAMES = ['refreshToken', 'accessToken', 'clientId'];

/**
 * Refuses options that do not exist. Without a type checker, `agentID` would act without an agent, and so without its
 * limits.
 * @throws {TypeError} with all of them
 */
export function checkNames({ openSession, ...others }: ClientOptions): void {
  refuseUnknown(others, OPTION_NAMES, '');
  if (!openSession) return;
  if (!isObject(openSession)) throw new TypeError('openSession must be an object, such as {}');
  refuseUnknown(openSession, SESSION_NAMES, 'openSession.');
}

function refuseUnknown(options: object, known: readonly string[], prefix: string): void {
  const unknown = Object.keys(options).filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  const lowerCased = unknown.map((name) => name.toLowerCase());
  const meant = known.filter((name) => lowerCased.includes(name.toLowerCase()));
  const list = (names: readonly string[]) => names.map((name) => prefix + name).join(', ');
  const advice = meant.length === 0 ? '' : `: use ${list(meant)}`;
  throw new TypeError(`createClient has no option ${list(unknown)}${advice}`);
}

/**
 * @returns the URL without a slash at its end
 * @throws {TypeError} for an address to which no token should be sent
 */
export function readServerUrl(name: string, value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.test(url.hostname));
  if (!url || !isSafe || url.search || url.hash || url.username)
    throw new TypeError(
      `${name} must be an https URL, or http on this computer, because tokens are sent there, without user name, query and fragment${shown(value)}`,
    );
  return url.href.replace(/\/$/, '');
}

/** Leaves out an address that may contain a password or a token. */
const shown = (value: string): string => (/[@?#]/.test(value) ? '' : `; it is ${JSON.stringify(value)}`);

/**
 * @returns the hub's URL without a slash at its end
 * @throws {TypeError} for the address of MCP clients too, below which the hub has no API
 */
export function readHubUrl(value: string): string {
  const url = readServerUrl('hub', value);
  if (url.endsWith('/mcp')) throw new TypeError('hub must be the PUBLIC_URL of the hub, without /mcp');
  return url;
}

/** @throws {TypeError} unless there is exactly one way to authenticate */
export function checkCredential({ idToken, session }: ClientOptions): void {
  if ((idToken === undefined) === (session === undefined))
    throw new TypeError('pass either idToken or session');
  if (idToken !== undefined && typeof idToken !== 'function')
    throw new TypeError('idToken must be a function that returns an ID token');
  if (session !== undefined && !/^\S+$/.test(session)) throw new TypeError('session must be a handle');
}
