import { pageParameters } from '@legate/pagination';
import { z } from 'zod';
import { DomainId } from '../../domain/ids.ts';
import { Instant } from '../../domain/instant.ts';
import { DomainName } from './domain-name.ts';

export const Domain = z
  .strictObject({
    id: DomainId,
    domain: z.string().describe('Lower-case ASCII; internationalized names as punycode'),
    state: z
      .enum(['pending', 'verified', 'failed'])
      .describe('`failed`: the domain was verified, and three daily checks then missed the record'),
    verified_at: Instant.nullable(),
    verification: z
      .strictObject({ type: z.literal('TXT'), name: z.string(), value: z.string() })
      .describe('The DNS record that proves ownership of the domain'),
    created_at: Instant,
    updated_at: Instant,
  })
  .meta({
    id: 'Domain',
    description: 'A domain of the organization, and the record that proves its ownership.',
  });
export type Domain = z.output<typeof Domain>;

export const AddDomain = z.strictObject({ domain: DomainName });
export type AddDomain = z.output<typeof AddDomain>;

export const ListDomains = z.strictObject({
  ...pageParameters,
  sort: z.enum(['created_at', '-created_at', 'domain', '-domain']).default('created_at'),
});
export type ListDomains = z.output<typeof ListDomains>;
