import { isIP } from 'node:net';
import { extensionOf } from '@legate/operations';
import { pageParameters } from '@legate/pagination';
import { z } from 'zod';
import { DisplayName } from '../../domain/display-name.ts';
import { ApiKeyId } from '../../domain/ids.ts';
import { Instant } from '../../domain/instant.ts';
import { API_KEY_SCOPES } from '../../domain/rights.ts';
import { InstantFilter, TextFilter } from '../../domain/text-filter.ts';
import { Creator } from './service-account.ts';

const MAX_BLOCKS = 20;
const WEEK_SECONDS = 604_800;
const DAY_SECONDS = 86_400;

const Scope = z.enum(API_KEY_SCOPES as readonly [string, ...string[]]);

/** An IP address, or a block in CIDR notation; without a zone, which has a meaning on one machine only. */
export function isBlock(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || address.includes('%') || rest.length > 0) return false;
  if (prefix === undefined) return true;
  return /^(?:0|[1-9]\d{0,2})$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128);
}

const Block = z
  .string()
  .max(50)
  .refine(isBlock, { error: 'Must be an IP address, or a block such as 192.0.2.0/24.' });

/** The current state of a key */
export const KEY_STATES = ['live', 'expired', 'revoked'] as const;

export const ApiKey = z
  .strictObject({
    id: ApiKeyId,
    name: z.string(),
    hint: z.string().describe('The last four characters of the key'),
    scopes: z.array(z.string()),
    allowed_ips: z
      .array(z.string())
      .describe('CIDR blocks from which the key may be used. Empty: from anywhere'),
    expires_at: Instant,
    revoked_at: Instant.nullable(),
    last_used_at: Instant.nullable().describe('Precise to the minute'),
    last_used_ip: z.string().nullable(),
    rotated_to: ApiKeyId.nullable().describe('The key that replaces it'),
    created_by: Creator.extend({
      status: z
        .enum(['active', 'deactivated', 'denied', 'removed', 'disabled', 'deleted'])
        .nullable()
        .describe('Status of the member or service account; `null` if it is not known'),
    }).nullable(),
    created_at: Instant,
  })
  .meta({ id: 'ApiKey', description: 'A secret with which a service account calls this API.' });
export type ApiKey = z.output<typeof ApiKey>;

export const NewApiKey = ApiKey.extend({
  key: z
    .string()
    .nullable()
    .describe('The secret. Only in this response; `null` in a replay by `Idempotency-Key`'),
}).meta(extensionOf(ApiKey, { id: 'NewApiKey', description: 'An API key, with its secret.' }));
export type NewApiKey = z.output<typeof NewApiKey>;

export const CreateApiKey = z.strictObject({
  name: DisplayName,
  scopes: z
    .array(Scope)
    .min(1)
    .transform((scopes) => [...new Set(scopes)])
    .describe('Each must be allowed by the role of the account and by the rights of the caller'),
  expires_at: InstantFilter.optional().describe(
    'Default: in 90 days, or at the maximum lifetime of the deployment if that is shorter',
  ),
  allowed_ips: z
    .array(Block)
    .max(MAX_BLOCKS)
    .default([])
    .describe('Addresses or CIDR blocks from which the key may be used. Empty: from anywhere'),
});
export type CreateApiKey = z.output<typeof CreateApiKey>;

export const RotateApiKey = z.strictObject({
  overlap_seconds: z
    .number()
    .int()
    .min(0)
    .max(WEEK_SECONDS)
    .default(DAY_SECONDS)
    .describe('Time for which the old key stays valid'),
});
export type RotateApiKey = z.output<typeof RotateApiKey>;

export const ListApiKeys = z.strictObject({
  ...pageParameters,
  sort: z.enum(['created_at', '-created_at']).default('created_at'),
  state: z.enum([...KEY_STATES, 'any']).default('any'),
  created_by: TextFilter.optional().describe(
    'Who created the key: `user_id` of a member, or id of a service account',
  ),
});
export type ListApiKeys = z.output<typeof ListApiKeys>;
