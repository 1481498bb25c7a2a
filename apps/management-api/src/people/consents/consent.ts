import { pageParameters } from '@legate/pagination';
import { z } from 'zod';
import { Instant } from '../../domain/instant.ts';
import { TextFilter } from '../../domain/text-filter.ts';

/** The `client_id` of an application at the identity provider */
export const ClientId = TextFilter;

export const Decision = z.enum(['approve', 'deny']);
export type Decision = z.output<typeof Decision>;

export const Consent = z
  .strictObject({
    client_id: z.string().describe('Client id of the application at the identity provider'),
    decision: Decision.describe('Every request that a denied application sends for you is refused'),
    decided_at: Instant,
  })
  .meta({ id: 'Consent', description: 'What you have decided about an application.' });
export type Consent = z.output<typeof Consent>;

export const ListConsents = z.strictObject(pageParameters);
export type ListConsents = z.output<typeof ListConsents>;

export const PutConsent = z.strictObject({ decision: Decision });
