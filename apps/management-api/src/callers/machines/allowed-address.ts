import { BlockList, isIP } from 'node:net';

/**
 * Returns true if an address is in one of the CIDR blocks, or there are none. IPv4 addresses match in their IPv6 form
 * too (`::ffff:192.0.2.1`).
 */
export function isAllowedAddress(address: string | undefined, blocks: readonly string[]): boolean {
  if (blocks.length === 0) return true;
  const from = address ?? '';
  const family = isIP(from);
  if (family === 0) return false;
  const list = new BlockList();
  for (const block of blocks) {
    const [network = '', prefix] = block.split('/');
    list.addSubnet(network, Number(prefix), isIP(network) === 4 ? 'ipv4' : 'ipv6');
  }
  return list.check(from, family === 4 ? 'ipv4' : 'ipv6');
}
