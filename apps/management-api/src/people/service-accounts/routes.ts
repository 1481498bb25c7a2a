import type { OrganizationId } from '@legate/ids';
import { pageOf } from '@legate/pagination';
import { created, noContent, ok, versioned } from '../../http/api/answer.ts';
import { type Operation, operation } from '../../http/api/operation.ts';
import { json, mergePatch } from '../../http/api/request-body.ts';
import { makerOf } from './maker.ts';
import type { ServiceAccounts } from './service.ts';
import {
  CreateServiceAccount,
  ListServiceAccounts,
  ServiceAccount,
  UpdateServiceAccount,
} from './service-account.ts';

/** Returns true for the body of a patch that disables an account. */
const disables = (patch: unknown): boolean =>
  typeof patch === 'object' && patch !== null && Reflect.get(patch, 'status') === 'disabled';

const found = { description: 'The service account', schema: ServiceAccount, headers: ['ETag'] } as const;

/** Returns the operations that read, make, change and delete service accounts. */
export function serviceAccountOperations(deps: {
  accounts: ServiceAccounts;
  /** Makes this process reload its cached data about an organization's machines. */
  forgetMachines: (organizationId: OrganizationId) => void;
}): Operation[] {
  const { accounts, forgetMachines } = deps;
  return [
    operation('listServiceAccounts', 'get', '/service-accounts', {
      tag: 'Machines',
      summary: 'List service accounts',
      access: 'credentials:read',
      query: ListServiceAccounts,
      responses: { 200: { description: 'A page of service accounts', schema: pageOf(ServiceAccount) } },
      handle: async ({ organizationId, query }) => ok(await accounts.list(organizationId, query)),
    }),
    operation('getServiceAccount', 'get', '/service-accounts/{service_account_id}', {
      tag: 'Machines',
      summary: 'Get a service account',
      access: 'credentials:read',
      responses: { 200: found },
      handle: async ({ organizationId, params }) =>
        versioned(await accounts.find(organizationId, params.service_account_id)),
    }),
    operation('createServiceAccount', 'post', '/service-accounts', {
      tag: 'Machines',
      summary: 'Create a service account',
      description: 'Its role must not have more rights than the caller has with this token.',
      access: 'credentials:write',
      body: json(CreateServiceAccount),
      responses: {
        201: { ...found, description: 'The new service account', headers: ['Location', 'ETag'] },
      },
      problems: { 403: ['role_escalation'], 409: ['quota_exceeded'] },
      change: async (change, call) => {
        const stored = await accounts.create(change, makerOf(call), call.body);
        return created(`/service-accounts/${stored.value.id}`, stored);
      },
    }),
    operation('updateServiceAccount', 'patch', '/service-accounts/{service_account_id}', {
      tag: 'Machines',
      summary: 'Change a service account',
      description:
        'All credentials of a disabled account are refused, everywhere within a second, until it is active again.',
      access: 'credentials:write',
      isSecurity: disables,
      body: mergePatch(UpdateServiceAccount),
      ifMatch: true,
      responses: { 200: found },
      problems: { 403: ['role_escalation'] },
      handle: async (call) => {
        const { params, ifMatch, body, organizationId } = call;
        const stored = await call.makeChange((change) =>
          accounts.update(change, makerOf(call), params.service_account_id, ifMatch, body),
        );
        forgetMachines(organizationId);
        return versioned(stored);
      },
    }),
    operation('deleteServiceAccount', 'delete', '/service-accounts/{service_account_id}', {
      tag: 'Machines',
      summary: 'Delete a service account',
      description: 'Permanent. All of its credentials are refused everywhere within a second.',
      access: 'credentials:write',
      isSecurity: true,
      ifMatch: true,
      responses: { 204: { description: 'The service account is deleted' } },
      handle: async ({ params, ifMatch, organizationId, makeChange }) => {
        await makeChange((change) => accounts.remove(change, params.service_account_id, ifMatch));
        forgetMachines(organizationId);
        return noContent;
      },
    }),
  ];
}
