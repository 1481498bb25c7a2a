import { pageParameters } from '@legate/pagination';
import { z } from 'zod';
import { DisplayName } from '../../domain/display-name.ts';
import { ServiceAccountId } from '../../domain/ids.ts';
import { Instant } from '../../domain/instant.ts';
import { SERVICE_ACCOUNT_ROLES } from '../../domain/rights.ts';

const MAX_DESCRIPTION = 500;

const Role = z.enum(SERVICE_ACCOUNT_ROLES);
const Status = z.enum(['active', 'disabled']);

const Description = z
  .string()
  .regex(/^(?:[^\p{Cc}\p{Cs}]|[\t\n\r])*$/u, { error: 'Must not contain control characters.' })
  .refine((value) => [...value].length <= MAX_DESCRIPTION, {
    error: `Must be at most ${MAX_DESCRIPTION} characters long.`,
    params: { code: 'too_long' },
  })
  .nullable();

/** The creator of an account or a key; null for those created by the seed */
export const Creator = z.strictObject({
  type: z.enum(['user', 'service_account']),
  id: z.string().describe('The `sub` of a user, or the id of a service account'),
  name: z.string().nullable(),
});

export const ServiceAccount = z
  .strictObject({
    id: ServiceAccountId,
    name: z.string(),
    description: z.string().nullable(),
    role: Role,
    status: Status.describe('All credentials of a disabled account are refused'),
    client: z
      .strictObject({
        issuer: z.string(),
        subject: z.string().describe('`sub` of its tokens'),
        confirmed_at: Instant.nullable().describe(
          '`null`: its tokens are accepted only if they name the organization',
        ),
      })
      .nullable()
      .describe('The client of the identity provider that acts as this account'),
    keys: z.number().int().min(0).describe('Number of its API keys that are valid'),
    created_by: Creator.nullable(),
    created_at: Instant,
    updated_at: Instant,
  })
  .meta({ id: 'ServiceAccount', description: 'A machine that acts in the organization.' });
export type ServiceAccount = z.output<typeof ServiceAccount>;

const fields = { name: DisplayName, description: Description, role: Role, status: Status };

export const CreateServiceAccount = z.strictObject({
  name: fields.name,
  description: fields.description.default(null),
  role: fields.role,
});
export type CreateServiceAccount = z.output<typeof CreateServiceAccount>;

/** A merge patch of a service account; null clears the description. */
export const UpdateServiceAccount = z.strictObject(fields).partial();
export type UpdateServiceAccount = z.output<typeof UpdateServiceAccount>;

export const ListServiceAccounts = z.strictObject({
  ...pageParameters,
  sort: z.enum(['created_at', '-created_at', 'name', '-name']).default('created_at'),
  role: Role.optional(),
  status: Status.optional(),
  search: DisplayName.optional().describe('Part of the name, in any case'),
});
export type ListServiceAccounts = z.output<typeof ListServiceAccounts>;
