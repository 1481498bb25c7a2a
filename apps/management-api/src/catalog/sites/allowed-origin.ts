import { getPublicSuffix } from 'tldts';
import { z } from 'zod';

export const MAX_ORIGIN_LENGTH = 300;

export type OriginFaultCode =
  | 'origin_invalid'
  | 'origin_insecure'
  | 'origin_has_path'
  | 'origin_has_userinfo'
  | 'origin_ip_literal'
  | 'origin_public_suffix'
  | 'origin_wildcard_unsupported';

export type OriginResult =
  | { readonly ok: true; readonly origin: string }
  | { readonly ok: false; readonly code: OriginFaultCode; readonly detail: string };

/**
 * The accepted form: scheme, host, port, at most one slash. It is checked before `new URL()`, which does not
 * validate: it repairs `https:example.com`, drops `user@` and tabs, and reads `https://1` as 0.0.0.1.
 */
const WRITTEN_ORIGIN = /^(https?):\/\/([^/?#\\@\s%*\p{C}]+)\/?$/iu;
const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;
/**
 * The only hosts for plain http, and the only allowed IP address; they must have exactly this spelling:
 * `0x7f.1` is refused.
 */
const LOCAL_HOSTS: readonly string[] = ['localhost', '127.0.0.1'];

/**
 * Normalizes an origin to the form that browsers send in `Origin`, or returns what is wrong with it. A
 * normalized origin can be compared with that of a request as a string.
 * @see Fetch standard, `Origin`; CSP, host-source: an origin that `frame-ancestors` cannot name is refused
 */
export function parseAllowedOrigin(written: string): OriginResult {
  const match = WRITTEN_ORIGIN.exec(written);
  if (!match?.[2]) return notAnOrigin(written);
  const url = parse(written);
  if (!url) return fault('origin_invalid', 'Not a valid origin.');
  const writtenHost = match[2].replace(/:\d*$/, '').toLowerCase();
  const isLocal = LOCAL_HOSTS.includes(writtenHost);

  if (!isLocal && isIpLiteral(url.hostname)) {
    return fault('origin_ip_literal', 'IP addresses cannot be named in frame-ancestors; use a host name.');
  }
  if (!isLocal && !isHostName(url.hostname)) return fault('origin_invalid', 'Not a valid host name.');
  if (url.port === '0') return fault('origin_invalid', 'Not a valid port.');
  if (!isLocal && url.protocol === 'http:') {
    return fault('origin_insecure', `Use "https://${url.host}".`);
  }
  // Includes the private part of the list: anyone can have a site at vercel.app.
  if (!isLocal && getPublicSuffix(url.hostname, { allowPrivateDomains: true }) === url.hostname) {
    return fault('origin_public_suffix', `Anyone can register names below ${url.hostname}.`);
  }
  return { ok: true, origin: url.origin };
}

/** Explains the fault, and suggests the origin that was probably meant. */
function notAnOrigin(written: string): OriginResult {
  if (written.includes('*')) {
    return fault('origin_wildcard_unsupported', 'List each origin; wildcards are not supported.');
  }
  const parts = /^https?:\/\/([^/?#\\]+)([\s\S]*)$/i.exec(written);
  if (!parts?.[1])
    return fault('origin_invalid', 'Write scheme and host, such as "https://app.example.com".');
  if (parts[1].includes('@')) return fault('origin_has_userinfo', 'An origin has no user name or password.');
  if (!parts[2]) return fault('origin_invalid', 'Not a valid origin.');
  const whole = parse(written);
  const meant = whole && parseAllowedOrigin(whole.origin);
  const hint = meant?.ok ? `Use "${meant.origin}".` : 'Leave out path, query and fragment.';
  return fault('origin_has_path', hint);
}

/**
 * Parses a URL without `URL.canParse`, which in Node.js 20 and 22 returns false for letters such as `ü` once
 * it has been called some thousand times, because its optimized form reads Latin-1 as UTF-8.
 */
function parse(written: string): URL | undefined {
  try {
    return new URL(written);
  } catch {
    return undefined;
  }
}

const fault = (code: OriginFaultCode, detail: string): OriginResult => ({ ok: false, code, detail });

/** `URL` converts every spelling of an IPv4 address (`0x7f.1`, `2130706433`) to four numbers. */
function isIpLiteral(hostname: string): boolean {
  return hostname.startsWith('[') || /^\d+\.\d+\.\d+\.\d+$/.test(hostname);
}

function isHostName(hostname: string): boolean {
  const labels = hostname.split('.');
  const last = labels.at(-1) ?? '';
  return (
    labels.length >= 2 &&
    hostname.length <= 253 &&
    labels.every((label) => LABEL.test(label)) &&
    !/^\d+$/.test(last)
  );
}

/** An item of `allowed_origins`; its output is the normalized form. */
export const AllowedOrigin = z
  .string()
  .max(MAX_ORIGIN_LENGTH, { abort: true })
  .transform((written, context) => {
    const result = parseAllowedOrigin(written);
    if (result.ok) return result.origin;
    context.addIssue({ code: 'custom', message: result.detail, params: { code: result.code } });
    return z.NEVER;
  });
