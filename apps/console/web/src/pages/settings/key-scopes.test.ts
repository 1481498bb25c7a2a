import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { scopesToGive } from './key-scopes.ts';

const document = JSON.parse(
  readFileSync(
    new URL('../../../../../../packages/contract/documents/management-api.json', import.meta.url),
    'utf8',
  ),
);
const ALL: readonly string[] = document.components.schemas.CreateApiKey.properties.scopes.items.enum;

it('offers every scope that a key can have, for an administrator’s account', () => {
  expect([...scopesToGive('admin', ALL)].sort()).toEqual([...ALL].sort());
});

it('offers only read scopes for a viewer’s account', () => {
  const scopes = scopesToGive('viewer', ALL);
  expect(scopes).toContain('sites:read');
  expect(scopes.filter((scope) => !scope.endsWith(':read'))).toEqual([]);
  expect(scopes).not.toContain('credentials:read');
});

it('offers no scope that the reader does not have', () => {
  expect(scopesToGive('developer', ['sites:write', 'connectors:write'])).toEqual(['sites:write']);
});
