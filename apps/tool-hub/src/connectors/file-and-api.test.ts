import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { z } from 'zod';
import { ConnectorMembers } from './connectors-document.ts';

/** Members whose name or structure in the connectors file differs from the management API */
const ELSEWHERE: Readonly<Record<string, string>> = {
  resource: 'resource_url',
  client_secret: 'secret',
  client_private_key: 'secret', // if token_endpoint_auth_method is private_key_jwt
  api_key: 'secret', // if service_kind is api_key; fallback_secret if another method is first
  client_certificate: 'secret', // if service_kind is mtls
};

/** Members of the file without a field in the API, and why */
const NONE: Readonly<Record<string, string>> = {
  id: 'the management API chooses it',
  organization_ids: 'it belongs to the organization of the administrator',
  fallback_approval: 'POST /connectors/{id}/fallback-approval, so that an approval is of what is there now',
};

type Schema = { type?: string; enum?: unknown[]; anyOf?: Schema[]; items?: Schema; $ref?: string };
interface OpenApi {
  components: { schemas: Record<string, Schema & { properties?: Record<string, Schema> }> };
}
const api: OpenApi = JSON.parse(
  readFileSync(
    new URL('../../../../packages/contract/documents/management-api.json', import.meta.url),
    'utf8',
  ),
);
const inApi = api.components.schemas.CreateConnector?.properties ?? {};
const inFile = (z.toJSONSchema(ConnectorMembers, { io: 'input', unrepresentable: 'any' }).properties ??
  {}) as Record<string, Schema>;

it.each(Object.keys(inFile))('lets administrators set %s of a connector, or explains why not', (member) => {
  const field = ELSEWHERE[member] ?? member;
  expect(field in inApi).toBe(!(member in NONE));
});

it('ELSEWHERE and NONE list only members of the file', () => {
  for (const member of [...Object.keys(ELSEWHERE), ...Object.keys(NONE)])
    expect(inFile).toHaveProperty(member);
});

/** Returns the permitted values of a member with an enumeration */
function valuesOf(schema: Schema | undefined): unknown[] {
  const resolved = schema?.$ref ? api.components.schemas[schema.$ref.split('/').at(-1) ?? ''] : schema;
  return [
    resolved?.enum,
    ...(resolved?.anyOf ?? []).map(valuesOf),
    resolved?.items && valuesOf(resolved.items),
  ]
    .flatMap((values) => values ?? [])
    .filter((value) => value !== null)
    .sort();
}

it.each(['auth_method', 'token_endpoint_auth_method'])(
  'the file and the API have the same values of %s',
  (member) => {
    expect(valuesOf(inFile[member]).length).toBeGreaterThan(1);
    expect(valuesOf(inApi[member])).toEqual(valuesOf(inFile[member]));
  },
);

it('the file and the API have the same fallbacks, except id-jag, for which other methods are the fallback', () => {
  const fallbacks = valuesOf(inFile.fallback).filter((method) => method !== 'id-jag');
  expect(valuesOf(inApi.fallback)).toEqual(fallbacks);
});
