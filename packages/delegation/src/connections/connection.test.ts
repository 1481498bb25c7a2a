import { expect, it } from '@jest/globals';
import { ConnectorId, OrganizationId } from '@legate/ids';
import type { Connector } from '../domain/connector.ts';
import {
  type Connection,
  consentRegistrationOf,
  hashOf,
  isMadeWith,
  parseRecord,
  toAccessTokenRecord,
  toRecord,
  withAccessToken,
} from './connection.ts';
import { type ConsentClient, createConsentClients } from './consent-client.ts';

const CLIENT: ConsentClient = {
  clientId: 'hub-at-notes',
  clientAuth: { method: 'client_secret_post', clientSecret: 'a-secret' },
  issuer: 'https://as.example',
  isDocument: false,
};
const CONNECTOR: Connector = {
  id: ConnectorId.parse('con_notes'),
  organizationId: OrganizationId.parse('org_acme'),
  resource: 'https://notes.example',
  mcpUrl: 'https://notes.example/mcp',
  methods: [{ method: 'oauth-pkce' }],
  scopes: ['notes:read'],
};
const registered = consentRegistrationOf(CONNECTOR, CLIENT);

it.each<[string, Partial<Connector>, Partial<ConsentClient>]>([
  ['client', {}, { clientId: 'another' }],
  ['issuer', {}, { issuer: 'https://other.example' }],
  ['issuer, which was pinned before', {}, { issuer: undefined }],
  ['resource', { resource: 'https://other.example' }, {}],
  ['scopes', { scopes: ['notes:write'] }, {}],
])('is another registration with another %s', (_what, connector, client) => {
  expect(consentRegistrationOf({ ...CONNECTOR, ...connector }, { ...CLIENT, ...client })).not.toBe(
    registered,
  );
});

it.each<[string, Partial<Connector>, Partial<ConsentClient>]>([
  ['secret', {}, { clientAuth: { method: 'client_secret_post', clientSecret: 'another' } }],
  ['way to authenticate', {}, { clientAuth: { method: 'client_secret_basic', clientSecret: 'a-secret' } }],
  ['approval of its fallback', { fallbackApproval: 'fba_2' }, {}],
])('is the same registration with another %s', (_what, connector, client) => {
  expect(consentRegistrationOf({ ...CONNECTOR, ...connector }, { ...CLIENT, ...client })).toBe(registered);
});

it('has a separate registration for each PUBLIC_URL, if the hub identifies itself by its document', () => {
  const settings = {
    method: 'oauth-pkce',
    clientId: undefined,
    clientAuth: undefined,
    issuer: undefined,
  } as const;
  const [one, other] = ['https://hub.example', 'https://other.example'].map((publicUrl) =>
    consentRegistrationOf(
      CONNECTOR,
      createConsentClients((id) => `${publicUrl}/${id}.json`)(CONNECTOR, settings),
    ),
  );
  expect(one).not.toBe(other);
});

const CONNECTION: Connection = {
  id: 'id-1',
  generation: 0,
  accessToken: 'access',
  expiresAt: 100,
  refreshToken: 'refresh',
  scopes: ['notes:read'],
  issuer: 'https://as.example',
  clientId: 'hub-at-notes',
  registration: registered,
  endsAt: 1000,
  epochs: [null],
};

it('is stored with its authorization server and client', () => {
  const record = toRecord(CONNECTION, { withAccessToken: false });
  const kept = parseRecord(record);
  expect(kept && withAccessToken(kept, toAccessTokenRecord(CONNECTION))).toEqual({
    ...CONNECTION,
    accessTokenHash: hashOf('access'),
    record,
  });
  const isMade = (issuer: string, clientId: string) => kept && isMadeWith(kept, issuer, clientId);
  expect(isMade('https://as.example', 'hub-at-notes')).toBe(true);
  expect(isMade('https://as.example', 'https://hub.example/oauth/clients/con_notes.json')).toBe(false);
  expect(isMade('https://other.example', 'hub-at-notes')).toBe(false);
});

it('survives an update from a version that did not store its client, which the registration includes', () => {
  const { client_id: _, ...before } = JSON.parse(toRecord(CONNECTION, { withAccessToken: true }));
  const kept = parseRecord(JSON.stringify(before));
  expect(kept).toMatchObject({ clientId: undefined, registration: registered });
  expect(kept && isMadeWith(kept, 'https://as.example', 'hub-at-notes')).toBe(true);
});

it('has no access token in its record if there is a refresh token', () => {
  expect(toRecord(CONNECTION, { withAccessToken: false })).not.toContain('"access"');
});
