import type { OrganizationId } from '@legate/ids';
import { pageOf } from '@legate/pagination';
import { noContent, ok } from '../../http/api/answer.ts';
import { type Operation, operation } from '../../http/api/operation.ts';
import { json, optionalJson } from '../../http/api/request-body.ts';
import type { Tag } from '../../http/api/tags.ts';
import { ApiKey, CreateApiKey, ListApiKeys, NewApiKey, RotateApiKey } from './api-key.ts';
import type { ApiKeys } from './key-service.ts';
import { makerOf } from './maker.ts';

const PATH = '/service-accounts/{service_account_id}/keys';
const ONE = `${PATH}/{key_id}` as const;
const tag: Tag = 'Machines';
const made = {
  description: 'The new key, with its secret',
  schema: NewApiKey,
  headers: ['Location'],
} as const;

const locationOf = (accountId: string, { id }: NewApiKey) => ({
  Location: `/api/v1/service-accounts/${accountId}/keys/${id}`,
});

/** Returns the operations that read, make, rotate and revoke API keys. */
export function apiKeyOperations(deps: {
  keys: ApiKeys;
  /** Makes this process reload its cached data about an organization's machines. */
  forgetMachines: (organizationId: OrganizationId) => void;
}): Operation[] {
  const { keys, forgetMachines } = deps;
  return [
    operation('listApiKeys', 'get', PATH, {
      tag,
      summary: 'List the API keys of a service account',
      description: 'Does not return their secrets. Revoked and expired keys are listed for 30 days.',
      access: 'credentials:read',
      noStore: 'private',
      query: ListApiKeys,
      responses: { 200: { description: 'A page of API keys', schema: pageOf(ApiKey) } },
      handle: async ({ organizationId, params, query }) =>
        ok(await keys.list(organizationId, params.service_account_id, query)),
    }),
    operation('getApiKey', 'get', ONE, {
      tag,
      summary: 'Get an API key',
      access: 'credentials:read',
      noStore: 'private',
      responses: { 200: { description: 'The key, without its secret', schema: ApiKey } },
      handle: async ({ organizationId, params }) =>
        ok(await keys.find(organizationId, params.service_account_id, params.key_id)),
    }),
    operation('createApiKey', 'post', PATH, {
      tag,
      summary: 'Create an API key for a service account',
      description:
        'Only this response contains the secret. The scopes must be allowed by the role of the account and by the rights of the caller. An API key cannot have `org:write`, `credentials:write`, `clients:write`, or scopes for invitations.',
      access: 'credentials:write',
      noStore: true,
      body: json(CreateApiKey),
      secrets: ['key'],
      responses: { 201: made },
      problems: { 403: ['role_escalation'], 409: ['quota_exceeded'] },
      change: async (change, call) => {
        const { service_account_id } = call.params;
        const key = await keys.create(change, makerOf(call), service_account_id, call.body);
        return { status: 201, headers: locationOf(service_account_id, key), body: key } as const;
      },
    }),
    operation('rotateApiKey', 'post', `${ONE}/rotate`, {
      tag,
      summary: 'Rotate an API key',
      description:
        'Creates a key with the same name, scopes, allowed addresses and lifetime. The old key expires after `overlap_seconds`.',
      access: 'credentials:write',
      noStore: true,
      body: optionalJson(RotateApiKey),
      secrets: ['key'],
      responses: { 201: made },
      problems: { 403: ['role_escalation'], 409: ['key_revoked', 'quota_exceeded'] },
      change: async (change, call) => {
        const { service_account_id, key_id } = call.params;
        const key = await keys.rotate(change, makerOf(call), service_account_id, key_id, call.body);
        return { status: 201, headers: locationOf(service_account_id, key), body: key } as const;
      },
    }),
    operation('revokeApiKey', 'delete', ONE, {
      tag,
      summary: 'Revoke an API key',
      description: 'It is refused everywhere within a second. Idempotent.',
      access: 'credentials:write',
      isSecurity: true,
      responses: { 204: { description: 'The key is revoked' } },
      handle: async ({ organizationId, params, makeChange }) => {
        await makeChange((change) => keys.revoke(change, params.service_account_id, params.key_id));
        forgetMachines(organizationId);
        return noContent;
      },
    }),
  ];
}
