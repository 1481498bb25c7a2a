import { lookup as dnsLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { type Block, type ConnectTo, isPublicAddress, isWithin, withoutBrackets } from './outbound-rules.ts';

/** The error for an address to which requests are not permitted. */
export class ForbiddenAddress extends Error {
  override readonly name = 'ForbiddenAddress';
  readonly code = 'ERR_FORBIDDEN_ADDRESS';
  /** @param setting what would allow them, such as the name of a setting */
  constructor(
    readonly host: string,
    readonly setting?: string,
  ) {
    super(`requests to ${host} are not allowed${setting ? ` (${setting})` : ''}`);
  }
}

/** The hub's certificate and trusted CAs in a TLS handshake, besides the defaults. */
export interface TlsIdentity {
  /** PEM, with its chain */
  readonly certificate: string;
  /** PEM */
  readonly privateKey: string;
  /** PEM, instead of the well-known CAs; undefined: the well-known CAs */
  readonly trustedCas?: string | undefined;
}

/**
 * Connects only to permitted destinations: `allowed` addresses, public ones over TLS, and those of `connectTo`. A name
 * is resolved here, and the connection uses the address that was checked. If one of its addresses is forbidden, the
 * name is refused, because this is a sign of rebinding.
 * @throws {ForbiddenAddress} to the callback
 */
export function createGuardedConnector(rules: {
  allowed: readonly Block[];
  connectTo: ConnectTo;
  timeoutMs: number;
  /** Name of the setting of `allowed`, for messages */
  allowSetting?: string | undefined;
  identity?: TlsIdentity | undefined;
}): buildConnector.connector {
  const { allowed, connectTo, timeoutMs, allowSetting, identity } = rules;
  const mayReach = (address: string, secure: boolean): boolean =>
    isWithin(address, allowed) || (secure && isPublicAddress(address));

  const guardedLookup =
    (secure: boolean): LookupFunction =>
    (hostname, lookupOptions, callback) => {
      dnsLookup(hostname, { ...lookupOptions, all: true }, (err, addresses) => {
        const [first] = addresses ?? [];
        if (err || !first) return callback(err ?? new ForbiddenAddress(hostname), '', 0);
        if (!addresses.every(({ address }) => mayReach(address, secure))) {
          return callback(new ForbiddenAddress(hostname, allowSetting), '', 0);
        }
        if (lookupOptions.all) callback(null, addresses);
        else callback(null, first.address, first.family);
      });
    };

  const tls = identity && {
    cert: identity.certificate,
    key: identity.privateKey,
    ...(identity.trustedCas !== undefined && { ca: identity.trustedCas }),
  };
  const plain = buildConnector({ timeout: timeoutMs, lookup: guardedLookup(false) });
  const secure = buildConnector({ timeout: timeoutMs, lookup: guardedLookup(true), ...tls });
  const trusted = buildConnector({ timeout: timeoutMs, ...tls });

  return (target, callback) => {
    const isSecure = target.protocol === 'https:';
    // A client certificate is only presented over TLS, so without TLS the caller would not be identified.
    if (identity && !isSecure) return callback(new ForbiddenAddress(target.hostname), null);
    const host = withoutBrackets(target.hostname);
    const mapped = connectTo.get(`${host}:${target.port || (isSecure ? '443' : '80')}`);
    if (mapped) return trusted({ ...target, ...mapped, servername: target.servername ?? host }, callback);
    // A literal address is never resolved, so it is checked here.
    if (isIP(host) && !mayReach(host, isSecure))
      return callback(new ForbiddenAddress(host, allowSetting), null);
    return (isSecure ? secure : plain)(target, callback);
  };
}
