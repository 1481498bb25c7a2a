import { OrganizationId, UserId } from '@legate/ids';
import { extensionOf } from '@legate/operations';
import { z } from 'zod';
import { ServiceAccountId } from '../../domain/ids.ts';
import { Instant } from '../../domain/instant.ts';
import { SERVICE_ACCOUNT_ROLES } from '../../domain/rights.ts';
import { ServiceAccount } from './service-account.ts';

export const PutClient = z.strictObject({
  subject: UserId.describe('`sub` of the tokens that the client gets for itself from the identity provider'),
});
export type PutClient = z.output<typeof PutClient>;

export const RegisteredClient = ServiceAccount.extend({
  confirmation: z
    .string()
    .describe(
      'Only in this response. The client sends it with its own token if its tokens name no organization',
    ),
  confirmation_expires_at: Instant,
}).meta(
  extensionOf(ServiceAccount, {
    id: 'RegisteredClient',
    description:
      'A service account, with what its client needs to confirm that it belongs to the organization.',
  }),
);
export type RegisteredClient = z.output<typeof RegisteredClient>;

export const ConfirmClient = z.strictObject({ confirmation: z.string().max(100) });
export type ConfirmClient = z.output<typeof ConfirmClient>;

export const ConfirmedClient = z
  .strictObject({
    organization_id: OrganizationId,
    service_account_id: ServiceAccountId,
    role: z.enum(SERVICE_ACCOUNT_ROLES),
    confirmed_at: Instant,
  })
  .meta({
    id: 'ConfirmedClient',
    description: 'The organization and service account to which the tokens of a client belong.',
  });
export type ConfirmedClient = z.output<typeof ConfirmedClient>;
