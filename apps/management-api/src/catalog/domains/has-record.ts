import type { Domain } from './domain.ts';
import type { TxtLookup } from './txt-lookup.ts';

/**
 * Returns true if the DNS has the domain's record, even if there are others at the same name.
 * @throws {DnsUnavailable}
 */
export async function hasRecord({ verification }: Domain, lookupTxt: TxtLookup): Promise<boolean> {
  const records = await lookupTxt(verification.name);
  return records.includes(verification.value);
}
