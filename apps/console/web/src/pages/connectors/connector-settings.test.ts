import { describe, expect, it } from '@jest/globals';
import type { Connector } from '../../api/types.ts';
import { changesOf, needsAcknowledgement, needsSecret, secretAfter, valuesOf } from './connector-settings.ts';

const connector = {
  name: 'Notes',
  slug: 'notes',
  resource_url: 'https://notes.example/mcp',
  mcp_url: null,
  token_endpoint_auth_method: null,
  audience: null,
  exchange_audience: null,
  token_audience: null,
  acknowledge_shared_audience: false,
  auth_method: 'id-jag',
  fallback: [],
  passthrough_audiences: [],
  service_kind: null,
  api_key_header: null,
  ca_certificates: null,
  issuer: 'https://login.example',
  client_id: 'hub',
  has_secret: true,
  enabled: true,
  scopes: ['notes:read', 'notes:write'],
  step_up_scopes: [],
  acknowledge_legacy: false,
} as unknown as Connector;
const values = valuesOf(connector);

describe('changesOf', () => {
  it('sends only changed fields', () => {
    expect(changesOf(connector, values)).toEqual({});
  });

  it.each([
    ['a name', { name: ' Wiki ' }, { name: 'Wiki' }],
    ['scopes', { scopes: '  notes:read ' }, { scopes: ['notes:read'] }],
    ['no issuer', { issuer: '' }, { issuer: null }],
    ['an audience', { audience: ' tools ' }, { audience: 'tools' }],
    ['a fallback', { fallback: ['oauth-pkce'] }, { fallback: ['oauth-pkce'] }],
    ['a secret', { secret: 's3' }, { secret: 's3' }],
    ['an endpoint', { mcp_url: 'https://notes.example/http' }, { mcp_url: 'https://notes.example/http' }],
    [
      'how the client authenticates',
      { token_endpoint_auth_method: 'client_secret_basic' },
      { token_endpoint_auth_method: 'client_secret_basic' },
    ],
    [
      'the audience of token exchange',
      { fallback: ['token-exchange'], exchange_audience: ' api://notes ', acknowledge_shared_audience: true },
      { fallback: ['token-exchange'], exchange_audience: 'api://notes', acknowledge_shared_audience: true },
    ],
    [
      'passthrough, which has no issuer',
      { auth_method: 'passthrough', acknowledge_legacy: true },
      { auth_method: 'passthrough', issuer: null, acknowledge_legacy: true },
    ],
  ] as const)('sends %s', (_case, edited, sent) => {
    expect(changesOf(connector, { ...values, ...edited })).toEqual(sent);
  });

  const byBasic = { ...connector, token_endpoint_auth_method: 'client_secret_basic' } as Connector;

  it.each([
    [
      'says again how the client authenticates, which ends with the method',
      { secret: 's3' },
      { token_endpoint_auth_method: 'client_secret_basic', secret: 's3' },
    ],
    ['leaves that out for a public client', { token_endpoint_auth_method: '' }, {}],
    ['clears it without a client', { client_id: ' ' }, { client_id: null }],
    ['sends no secret without a client', { client_id: '', secret: 's3' }, { client_id: null }],
  ] as const)('%s', (_case, edited, sent) => {
    expect(changesOf(byBasic, { ...valuesOf(byBasic), auth_method: 'oauth-pkce', ...edited })).toEqual({
      auth_method: 'oauth-pkce',
      ...sent,
    });
  });

  it("clears the client's authentication method together with the client", () => {
    const consent = { ...byBasic, auth_method: 'oauth-pkce' } as Connector;
    expect(changesOf(consent, { ...valuesOf(consent), client_id: '' })).toEqual({
      client_id: null,
      token_endpoint_auth_method: null,
    });
  });

  it.each(['service', 'passthrough'] as const)('keeps the issuer of a fallback of %s', (auth_method) => {
    const kept = { ...connector, auth_method, fallback: ['oauth-pkce'] } as Connector;
    expect(changesOf(kept, valuesOf(kept))).not.toHaveProperty('issuer');
    expect(changesOf(kept, { ...valuesOf(kept), fallback: [] })).toMatchObject({
      fallback: [],
      issuer: null,
    });
  });

  it('keeps the settings of a service credential that is a fallback, and clears them with the fallback', () => {
    const kept = { ...connector, fallback: ['service'], service_kind: 'api_key' } as Connector;
    expect(changesOf(kept, valuesOf(kept))).toEqual({});
    expect(changesOf(kept, { ...valuesOf(kept), fallback: [] })).toEqual({
      fallback: [],
      service_kind: null,
    });
  });

  it('acknowledges passthrough as a fallback, and clears its audiences with the fallback', () => {
    const edited = { ...values, fallback: ['passthrough'], acknowledge_legacy: true } as const;
    expect(changesOf(connector, edited)).toEqual({ fallback: ['passthrough'], acknowledge_legacy: true });
    const kept = { ...connector, fallback: ['passthrough'], passthrough_audiences: ['a'] } as Connector;
    expect(changesOf(kept, { ...valuesOf(kept), fallback: [] })).toEqual({
      fallback: [],
      passthrough_audiences: [],
    });
  });

  it('asks for the acknowledgement of passthrough again when the tool server changes', () => {
    const kept = { ...connector, fallback: ['passthrough'], acknowledge_legacy: true } as Connector;
    expect(changesOf(kept, valuesOf(kept))).toEqual({});
    const moved = { ...valuesOf(kept), resource_url: 'https://elsewhere.example' };
    expect(needsAcknowledgement(kept, moved)).toBe(true);
    expect(changesOf(kept, moved)).toEqual({
      resource_url: 'https://elsewhere.example',
      acknowledge_legacy: false,
    });
  });

  it("removes a method from the fallback if it has become the connector's own method", () => {
    const kept = { ...connector, fallback: ['oauth-pkce'] } as Connector;
    expect(changesOf(kept, { ...valuesOf(kept), auth_method: 'oauth-pkce' })).toEqual({
      auth_method: 'oauth-pkce',
      fallback: [],
    });
  });

  it('sends the audience again, because it is cleared with the method', () => {
    const consent = { ...connector, auth_method: 'oauth-pkce' } as Connector;
    const edited = { ...valuesOf(consent), audience: 'tools' };
    expect(changesOf(consent, edited)).toEqual({});
    expect(changesOf(consent, { ...edited, auth_method: 'id-jag' })).toEqual({
      auth_method: 'id-jag',
      audience: 'tools',
    });
  });

  it('clears the settings that only a service credential has', () => {
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
  ['a method without one', { auth_method: 'passthrough' }, 'unused'],
  ['consent with the same client', { auth_method: 'oauth-pkce' }, 'dropped'],
  ['consent without a client', { auth_method: 'oauth-pkce', client_id: ' ' }, 'unused'],
] as const)('says for %s what becomes of the secret', (_case, edited, becomes) => {
  expect(secretAfter(connector, { ...values, ...edited })).toBe(becomes);
});

it('requires a secret if none was set before', () => {
  expect(secretAfter({ ...connector, has_secret: false }, values)).toBe('missing');
});

describe('the secret of a client of oauth-pkce', () => {
  const consent = { ...connector, auth_method: 'oauth-pkce' } as Connector;
  const publicClient = { ...consent, has_secret: false };
  const unregistered = { ...publicClient, client_id: null };

  it.each([
    ['stays with its client', consent, {}, 'kept'],
    ['stays with another client id', consent, { client_id: 'hub-2' }, 'kept'],
    ['ends with the client id', consent, { client_id: '' }, 'unused'],
    ['may be set for a public client', publicClient, {}, 'missing'],
    ['may be set once there is a client id', unregistered, { client_id: 'hub' }, 'missing'],
    ['is none without a client id', unregistered, {}, 'unused'],
  ] as const)('%s', (_case, before, edited, becomes) => {
    expect(secretAfter(before, { ...valuesOf(before), ...edited })).toBe(becomes);
  });

  it.each([
    ['needed by no public client', {}, false],
    ['needed once it is said how to show it', { token_endpoint_auth_method: 'client_secret_basic' }, true],
    ['needed by ID-JAGs', { auth_method: 'id-jag' }, true],
  ] as const)('is %s', (_case, edited, needed) => {
    const settings = { ...valuesOf(publicClient), ...edited };
    expect(needsSecret(publicClient, settings)).toBe(needed);
    expect(needsSecret({ ...publicClient, enabled: false }, settings)).toBe(false);
  });
});
