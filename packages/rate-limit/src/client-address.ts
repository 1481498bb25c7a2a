import ipaddr from 'ipaddr.js';

/** A household or a machine is given at least a /64, often a /56, of IPv6: single addresses in it cost nothing. */
const IPV6_PREFIX_BITS = 56;

/** @returns the part of an address that one client is likely to control; `unknown` for a closed connection */
export function clientNetwork(address: string | undefined): string {
  if (address === undefined || !ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address); // an IPv4 address mapped into IPv6 counts as IPv4
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/${IPV6_PREFIX_BITS}`)}/${IPV6_PREFIX_BITS}`;
}
