import ipaddr from 'ipaddr.js';

/** A household or a machine gets at least a /64 of IPv6, often a /56, so counting single addresses would be useless. */
const NETWORK_BITS = 56;
/**
 * The largest prefix that an organization gets without justification (RFC 6177 §2). It contains 256 of these networks.
 */
const SITE_BITS = 48;

/** The networks of a client's address, the only data by which unauthenticated clients can be distinguished. */
export interface ClientNetworks {
  /** The part of an address that one client is likely to control: an IPv4 address, a /56 of IPv6 */
  readonly network: string;
  /** The part that one organization may control: an IPv4 address, a /48 of IPv6 */
  readonly site: string;
}

/** Returns `unknown` for the address of a closed connection. */
export function clientNetworks(address: string | undefined): ClientNetworks {
  if (address === undefined || !ipaddr.isValid(address)) return { network: 'unknown', site: 'unknown' };
  const parsed = ipaddr.process(address); // an IPv4 address mapped into IPv6 counts as IPv4
  if (!(parsed instanceof ipaddr.IPv6)) return { network: parsed.toString(), site: parsed.toString() };
  const [a = 0, b = 0, c = 0, d = 0] = parsed.parts;
  const prefix = (bits: number, fourth: number) =>
    `${new ipaddr.IPv6([a, b, c, fourth, 0, 0, 0, 0])}/${bits}`;
  return { network: prefix(NETWORK_BITS, d & 0xff00), site: prefix(SITE_BITS, 0) };
}

/** Returns only the network. */
export const clientNetwork = (address: string | undefined): string => clientNetworks(address).network;
