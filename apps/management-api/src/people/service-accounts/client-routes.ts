import type { OrganizationId, UserId } from '@legate/ids';
import { noContent, ok, versioned } from '../../http/api/answer.ts';
import { type Operation, operation } from '../../http/api/operation.ts';
import { json } from '../../http/api/request-body.ts';
import type { Tag } from '../../http/api/tags.ts';
import { ConfirmClient, ConfirmedClient, PutClient, RegisteredClient } from './client.ts';
import { type Clients, subjectOf } from './client-service.ts';
import { makerOf } from './maker.ts';

const PATH = '/service-accounts/{service_account_id}/client';
const tag: Tag = 'Machines';

/** Returns the operations that register, confirm and remove the client of a service account. */
export function clientOperations(deps: {
  clients: Clients;
  /** Makes this process reload its cached data about an organization's machines. */
  forgetMachines: (organizationId: OrganizationId) => void;
  /** Makes this process reload the cached organization of a client whose tokens name none. */
  forgetClient: (subject: UserId) => void;
}): Operation[] {
  const { clients, forgetMachines, forgetClient } = deps;
  return [
    // Before the others, whose /service-accounts/{service_account_id} would match it
    operation('confirmClient', 'post', '/service-accounts/confirm', {
      tag,
      summary: 'Confirm, as a client, that you belong to an organization',
      description:
        'Sent by the client itself, with its own token and the `confirmation` that its organization has given it. From then on its tokens need not name the organization.',
      access: 'any-token',
      body: json(ConfirmClient),
      noStore: true,
      responses: {
        200: {
          description: 'The organization and service account to which your tokens belong',
          schema: ConfirmedClient,
        },
      },
      problems: { 404: ['not_found'], 409: ['client_already_confirmed'] },
      handle: async ({ caller, body, authorIn }) => {
        const confirmed = await clients.confirm(caller, body.confirmation, authorIn);
        forgetClient(subjectOf(caller));
        forgetMachines(confirmed.organization_id);
        return ok(confirmed);
      },
    }),
    operation('putServiceAccountClient', 'put', PATH, {
      tag,
      summary: 'Let a client of the identity provider act as a service account',
      description:
        'Tokens of the client that name the organization are accepted at once. A client whose tokens name no organization must confirm within 24 hours that it belongs to this one: `POST /service-accounts/confirm`. Repeating the request creates a new confirmation.',
      access: 'credentials:write',
      noStore: true,
      body: json(PutClient),
      ifMatch: true,
      responses: {
        200: { description: 'The service account', schema: RegisteredClient, headers: ['ETag'] },
      },
      problems: {
        403: ['role_escalation'],
        409: ['client_already_registered', 'client_is_member'],
      },
      handle: async (call) => {
        const { params, ifMatch, body, organizationId } = call;
        const stored = await call.makeChange((change) =>
          clients.put(change, makerOf(call), params.service_account_id, ifMatch, body),
        );
        forgetMachines(organizationId);
        return versioned(stored);
      },
    }),
    operation('deleteServiceAccountClient', 'delete', PATH, {
      tag,
      summary: 'Remove the client of a service account',
      description: 'Its tokens are refused everywhere within a second. Idempotent.',
      access: 'credentials:write',
      isSecurity: true,
      ifMatch: true,
      responses: { 204: { description: 'The account has no client' } },
      handle: async ({ params, ifMatch, organizationId, makeChange }) => {
        await makeChange((change) => clients.remove(change, params.service_account_id, ifMatch));
        forgetMachines(organizationId);
        return noContent;
      },
    }),
  ];
}
