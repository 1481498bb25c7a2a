import { isIP } from 'node:net';
import { isPublicAddress, isWithin, parseOutboundAllow } from '@legate/service';

const MAX_LENGTH = 2048;
/**
 * Requires the complete form: `URL` removes tabs, turns `\` into `/`, and accepts `https:host` as a URL with
 * a host.
 */
const ABSOLUTE = /^https?:\/\/[^\s\\/?#@]+(?:[/?][^\s\\#]*)?$/;

export type ResourceUrlFault = 'invalid_format' | 'resource_url_forbidden';

/**
 * Checks a resource identifier before its host name is resolved; its IP addresses are checked at each
 * connection. It is stored as written, because it is compared as a string (`aud`).
 * @param outboundAllow as `OUTBOUND_ALLOW`
 * @see RFC 8707 §2 (no fragment), RFC 9728 §1.2 (https)
 */
export function createResourceUrlCheck(
  outboundAllow: readonly string[],
): (url: string) => ResourceUrlFault | undefined {
  const allowed = parseOutboundAllow(outboundAllow);
  return (written) => {
    if (written.length > MAX_LENGTH || !ABSOLUTE.test(written) || !isPrintable(written))
      return 'invalid_format';
    if (!URL.canParse(written)) return 'invalid_format';
    const { protocol, hostname } = new URL(written);
    const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
    // `URL` converts 0x7f.1 and 2130706433 to dotted IP addresses, so that no spelling of a forbidden address
    // is accepted.
    const address = isIP(host) ? host : isLocalName(host) ? '127.0.0.1' : undefined;
    const isAllowed = address !== undefined && isWithin(address, allowed);
    if (protocol === 'http:') return isAllowed && isLoopback(address) ? undefined : 'resource_url_forbidden';
    return address === undefined || isAllowed || isPublicAddress(address)
      ? undefined
      : 'resource_url_forbidden';
  };
}

/** A URL with characters outside ASCII has two spellings. */
const isPrintable = (text: string): boolean => /^[\x21-\x7e]*$/.test(text);
const isLocalName = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost');
const LOOPBACK = parseOutboundAllow(['loopback']);
const isLoopback = (address: string): boolean => isWithin(address, LOOPBACK);
