import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { z } from 'zod';
import { ConnectorMembers } from './connectors-document.ts';

/** What the connectors file calls otherwise than the management API, or divides otherwise */
const ELSEWHERE: Readonly<Record<string, string>> = {
  resource: 'resource_url',
  client_secret: 'secret',
  client_private_key: 'secret', // with token_endpoint_auth_method private_key_jwt
  api_key: 'secret', // with service_kind api_key; fallback_secret behind another method
  client_certificate: 'secret', // with service_kind mtls
};

/** Members without a field, and why */
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

it.each(Object.keys(inFile))('lets administrators say %s of a connector, or says why not', (member) => {
  const field = ELSEWHERE[member] ?? member;
  expect(field in inApi).toBe(!(member in NONE));
});

it('names no member that the file has not', () => {
  for (const member of [...Object.keys(ELSEWHERE), ...Object.keys(NONE)])
    expect(inFile).toHaveProperty(member);
});

/** The values of a member that has a list of them */
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

it.each(['auth_method', 'token_endpoint_auth_method'])('has the same values of %s in both', (member) => {
  expect(valuesOf(inFile[member]).length).toBeGreaterThan(1);
  expect(valuesOf(inApi[member])).toEqual(valuesOf(inFile[member]));
});

it('has the fallbacks of the file, except id-jag, which other methods stand in for', () => {
  const fallbacks = valuesOf(inFile.fallback).filter((method) => method !== 'id-jag');
  expect(valuesOf(inApi.fallback)).toEqual(fallbacks);
});
