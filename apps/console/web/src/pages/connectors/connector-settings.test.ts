import { describe, expect, it } from '@jest/globals';
import type { Connector } from '../../api/types.ts';
import { changesOf, secretAfter, valuesOf } from './connector-settings.ts';

const connector = {
  name: 'Notes',
  slug: 'notes',
  resource_url: 'https://notes.example/mcp',
  mcp_url: null,
  token_endpoint_auth_method: null,
  audience: null,
  auth_method: 'id-jag',
  service_kind: null,
  api_key_header: null,
  ca_certificates: null,
  issuer: 'https://login.example',
  client_id: 'hub',
  has_secret: true,
  scopes: ['notes:read', 'notes:write'],
  step_up_scopes: [],
  acknowledge_legacy: false,
} as unknown as Connector;
const values = valuesOf(connector);

describe('changesOf', () => {
  it('sends nothing of what is as it was', () => {
    expect(changesOf(connector, values)).toEqual({});
  });

  it.each([
    ['a name', { name: ' Wiki ' }, { name: 'Wiki' }],
    ['scopes', { scopes: '  notes:read ' }, { scopes: ['notes:read'] }],
    ['no issuer', { issuer: '' }, { issuer: null }],
    ['a secret', { secret: 's3' }, { secret: 's3' }],
    ['an endpoint', { mcp_url: 'https://notes.example/http' }, { mcp_url: 'https://notes.example/http' }],
    [
      'how the client authenticates',
      { token_endpoint_auth_method: 'client_secret_basic' },
      { token_endpoint_auth_method: 'client_secret_basic' },
    ],
    [
      'passthrough, which has no issuer',
      { auth_method: 'passthrough', acknowledge_legacy: true },
      { auth_method: 'passthrough', issuer: null, acknowledge_legacy: true },
    ],
  ] as const)('sends %s', (_case, edited, sent) => {
    expect(changesOf(connector, { ...values, ...edited })).toEqual(sent);
  });

  it('clears what only a service credential has', () => {
    const service = {
      ...connector,
      auth_method: 'service',
      service_kind: 'api_key',
      issuer: null,
    } as Connector;
    expect(changesOf(service, { ...valuesOf(service), auth_method: 'oauth-pkce' })).toEqual({
      auth_method: 'oauth-pkce',
      service_kind: null,
    });
  });
});

it.each([
  ['another name', { name: 'Wiki' }, 'kept'],
  ['another address', { resource_url: 'https://wiki.example/mcp' }, 'dropped'],
  ['another issuer', { issuer: '' }, 'dropped'],
  ['another method with a secret', { auth_method: 'service' }, 'dropped'],
  ['a key in place of a password', { token_endpoint_auth_method: 'private_key_jwt' }, 'dropped'],
  ['a password shown otherwise', { token_endpoint_auth_method: 'client_secret_basic' }, 'kept'],
  ['another endpoint', { mcp_url: 'https://notes.example/http' }, 'kept'],
  ['a method without one', { auth_method: 'oauth-pkce' }, 'unused'],
] as const)('says for %s what becomes of the secret', (_case, edited, becomes) => {
  expect(secretAfter(connector, { ...values, ...edited })).toBe(becomes);
});

it('asks for a secret that was never set', () => {
  expect(secretAfter({ ...connector, has_secret: false }, values)).toBe('missing');
});
