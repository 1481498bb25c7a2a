import ipaddr from 'ipaddr.js';

/** An address block: network and prefix length. */
export type Block = ReturnType<typeof ipaddr.parseCIDR>;

/** The actual destination for the `host:port` of a URL. */
export type ConnectTo = ReadonlyMap<string, { readonly hostname: string; readonly port: string }>;

const LOOPBACK = ['127.0.0.0/8', '::1/128'];
/**
 * RFC 4291 §2.4: the block that is routed on the public IPv6 internet today. All other addresses are reserved or
 * special.
 */
const GLOBAL_UNICAST_IPV6 = ipaddr.parseCIDR('2000::/3');

/**
 * @param allow `loopback` or CIDR blocks
 * @throws {Error} with the entry that is neither
 */
export function parseOutboundAllow(allow: readonly string[]): Block[] {
  return allow
    .flatMap((entry) => (entry === 'loopback' ? LOOPBACK : [entry]))
    .map((entry) => {
      if (!ipaddr.isValidCIDR(entry)) throw new Error(`${entry} is neither "loopback" nor a CIDR block`);
      return ipaddr.parseCIDR(entry);
    });
}

/**
 * @param pairs `public-host:port=internal-host:port`, as curl's `--connect-to`
 * @throws {Error} with the entry that is not such a pair
 */
export function parseConnectTo(pairs: readonly string[]): ConnectTo {
  return new Map(
    pairs.map((pair) => {
      const [from, to] = pair.split('=').map(parseHostAndPort);
      if (!from || !to || pair.split('=').length !== 2) throw new Error(`${pair} is not host:port=host:port`);
      return [`${from.hostname}:${from.port}`, to];
    }),
  );
}

/** Parses `host:port`. An IPv6 address has brackets in the text (`[::1]:443`); the hostname returned has none. */
function parseHostAndPort(text: string): { hostname: string; port: string } | undefined {
  const [, hostname, port] = /^(\[[0-9A-Fa-f:.]+\]|[^\s:/@?#[\]]+):([0-9]{1,5})$/.exec(text) ?? [];
  return hostname && port ? { hostname: withoutBrackets(hostname).toLowerCase(), port } : undefined;
}

export const withoutBrackets = (host: string): string => host.replace(/^\[|\]$/g, '');

/** Treats an IPv4 address mapped into IPv6 as IPv4. */
export function isWithin(address: string, blocks: readonly Block[]): boolean {
  const parsed = ipaddr.process(address);
  return blocks.some((block) => parsed.kind() === block[0].kind() && parsed.match(block));
}

/**
 * Returns false for private, shared, loopback, link-local (cloud metadata), multicast, translated and reserved
 * addresses.
 */
export function isPublicAddress(address: string): boolean {
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || parsed.match(GLOBAL_UNICAST_IPV6);
}
