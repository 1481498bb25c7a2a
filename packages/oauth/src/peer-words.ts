import type { z } from 'zod';

// All functions that show data from a peer in texts: short, in printable ASCII, and without possible secrets.

const MAX_LENGTH = 200;

/** Makes untrusted text safe for a response, a log or a terminal: short, and without control characters. */
export function shown(text: string): string {
  const printable = text.replace(/[^\x20-\x7E]/g, '?');
  return printable.length > MAX_LENGTH ? `${printable.slice(0, MAX_LENGTH)}…` : printable;
}

/** Returns a URL without the parts that may be secret: user information, and the query. */
export function shownUrl(url: string): string {
  if (!URL.canParse(url)) return 'something that is not a URL';
  const { protocol, host, pathname, search } = new URL(url);
  return `${shown(`${protocol}//${host}${pathname}`)}${search === '' ? '' : '?…'}`;
}

const MAX_VALUE_LENGTH = 80;
/** Tokens, keys and passwords: a JWT, or a long run in which letters and digits alternate */
const LIKE_A_SECRET = /eyJ[\w-]{8}|(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{24}/;

/** Returns an unexpected value from a peer in quotes, or only its type if it may be a secret. */
export function shownValue(value: unknown): string {
  if (typeof value !== 'string') return kindOf(value);
  if (value === '' || value.length > MAX_VALUE_LENGTH || LIKE_A_SECRET.test(value)) return kindOf(value);
  return `"${shown(value).replaceAll('"', "'")}"`;
}

const GUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Returns the value of a member that identifies something and is never a secret, such as `aud`. Unlike `shownValue`, it
 * shows GUIDs: elsewhere, a GUID may be a refresh token.
 */
export const shownIdentifier = (value: unknown): string =>
  typeof value === 'string' && GUID.test(value) ? `"${value}"` : shownValue(value);

/** Removes our own secrets from a text about a peer, which may have sent them back. */
export const withoutSecrets = (text: string, secrets: readonly (string | undefined)[]): string =>
  secrets.reduce<string>(
    (rest, secret) => (secret === undefined || secret === '' ? rest : rest.replaceAll(secret, '[secret]')),
    text,
  );

function kindOf(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (value === '') return 'an empty text';
  return { string: 'a text', number: 'a number', boolean: 'a boolean' }[String(typeof value)] ?? 'an object';
}

const MAX_MEMBERS = 3;

/**
 * Names the invalid members of a document, and what they contain instead.
 * @returns a text such as `"issuer" is missing, "token_endpoint" is a number`
 */
export function membersAtFault({ issues }: z.ZodError, document: unknown): string {
  const paths = [...new Set(issues.map(({ path }) => JSON.stringify(path.slice(0, 2))))];
  return paths
    .slice(0, MAX_MEMBERS)
    .map((text) => {
      const path: readonly (string | number)[] = JSON.parse(text);
      const found = path.reduce<unknown>(memberOf, document);
      const name = path.length === 0 ? 'it' : `"${shown(path.join('.'))}"`;
      return `${name} is ${typeof found === 'string' && found !== '' ? 'an unusable text' : kindOf(found)}`;
    })
    .join(', ');
}

const memberOf = (value: unknown, name: string | number): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;

/** A response that does not follow the protocol: its type, and its possible sender. */
export interface OtherAnswer {
  /** `Content-Type` */
  readonly type: string | undefined;
  /** Undefined if the body was not read, or is in an unsupported encoding. */
  readonly text?: string | undefined;
  /** `Server` header, in which proxies and firewalls often give their names */
  readonly server?: string | undefined;
}

const HTML = /^\s*(?:text\/html|application\/xhtml)/i;

/**
 * Returns true for an HTML page. A firewall, a proxy or a login sends such pages for people; a peer does not send them
 * to programs. If the text was read, it must begin with markup, because frameworks also send a bare `Unauthorized` as
 * HTML.
 */
export const isPage = ({ type, text }: OtherAnswer): boolean =>
  text === undefined ? HTML.test(type ?? '') : /^\s*</.test(text);

/** @returns a text such as `an HTML page from "cloudflare"` or `text/plain` */
export function describeBody(answer: OtherAnswer): string {
  const body = bodyOf(answer);
  const server = /^[\w.-]{1,30}(?=\/|\s|$)/.exec(answer.server ?? '')?.[0];
  return server === undefined || LIKE_A_SECRET.test(answer.server ?? '') ? body : `${body} from "${server}"`;
}

function bodyOf(answer: OtherAnswer): string {
  const { type = '', text = '' } = answer;
  if (answer.text === '') return 'no body';
  if (isPage(answer) && (HTML.test(type) || /^\s*<(?:!doctype\s+)?html/i.test(text))) return 'an HTML page';
  return (
    /^\s*([a-z]+\/[a-z0-9.+-]{1,40})(?=\s*(?:;|$))/i.exec(type)?.[1]?.toLowerCase() ?? 'a body without a type'
  );
}
