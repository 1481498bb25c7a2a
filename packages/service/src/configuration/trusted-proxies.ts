import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { commaSeparated } from './comma-separated.ts';

/** Names that Express has for ranges of private addresses */
const RANGES: readonly string[] = ['loopback', 'linklocal', 'uniquelocal'];

const isProxy = (entry: string): boolean => {
  if (RANGES.includes(entry) || ipaddr.isValid(entry)) return true;
  // A block of all addresses would let every client choose its own.
  return ipaddr.isValidCIDR(entry) && ipaddr.parseCIDR(entry)[1] > 0;
};

/** `none` means that there is no proxy; production requires an explicit value, see `productionFaults`. */
export const trustedProxies = commaSeparated
  .transform((entries) => (entries.length === 1 && entries[0] === 'none' ? [] : entries))
  .pipe(
    z.array(
      z.string().refine(isProxy, { error: 'must be addresses or CIDR blocks of proxies, or "none" alone' }),
    ),
  );
