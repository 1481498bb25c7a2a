import type { Domain } from './domain.ts';
import type { TxtLookup } from './txt-lookup.ts';

/**
 * Whether the domain's record stands in the DNS; others may stand beside it.
 * @throws {DnsUnavailable}
 */
export async function hasRecord({ verification }: Domain, lookupTxt: TxtLookup): Promise<boolean> {
  const records = await lookupTxt(verification.name);
  return records.includes(verification.value);
}
