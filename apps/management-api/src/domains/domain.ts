import { pageParameters } from '@legate/pagination';
import { z } from 'zod';
import { DomainName } from './domain-name.ts';

export const Domain = z.strictObject({
  id: z.string(),
  /** Lower-case ASCII; internationalized names as punycode */
  domain: z.string(),
  /** `failed`: it was verified, and the record was missing in three daily checks. */
  state: z.enum(['pending', 'verified', 'failed']),
  verified_at: z.iso.datetime({ precision: 3 }).nullable(),
  /** The record that proves the domain, while it is there */
  verification: z.strictObject({ type: z.literal('TXT'), name: z.string(), value: z.string() }),
  created_at: z.iso.datetime({ precision: 3 }),
  updated_at: z.iso.datetime({ precision: 3 }),
});
export type Domain = z.output<typeof Domain>;

export const AddDomain = z.strictObject({ domain: DomainName });
export type AddDomain = z.output<typeof AddDomain>;

export const ListDomains = z.strictObject({
  ...pageParameters,
  sort: z.enum(['created_at', '-created_at', 'domain', '-domain']).default('created_at'),
});
export type ListDomains = z.output<typeof ListDomains>;
