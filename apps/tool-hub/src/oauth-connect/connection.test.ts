import { expect, it } from '@jest/globals';
import type { Connector } from '../connectors/connector.ts';
import type { OAuthPkceSettings } from '../connectors/method-settings.ts';
import { registrationOf } from './connection.ts';

const SETTINGS: OAuthPkceSettings = {
  method: 'oauth-pkce',
  clientId: 'hub-at-notes',
  clientAuth: { method: 'client_secret_post', clientSecret: 'a-secret' },
  issuer: 'https://as.example',
};
const CONNECTOR: Connector = {
  id: 'con_notes',
  organizationId: 'org_acme',
  name: 'Notes',
  resource: 'https://notes.example',
  mcpUrl: 'https://notes.example/mcp',
  methods: [SETTINGS],
  scopes: ['notes:read'],
};
const registered = registrationOf(CONNECTOR, SETTINGS);

it.each<[string, Partial<Connector>, Partial<OAuthPkceSettings>]>([
  ['client', {}, { clientId: 'another' }],
  ['issuer', {}, { issuer: 'https://other.example' }],
  ['issuer, which was pinned before', {}, { issuer: undefined }],
  ['resource', { resource: 'https://other.example' }, {}],
  ['scopes', { scopes: ['notes:write'] }, {}],
])('is another registration with another %s', (_what, connector, settings) => {
  expect(registrationOf({ ...CONNECTOR, ...connector }, { ...SETTINGS, ...settings })).not.toBe(registered);
});

it.each<[string, Partial<Connector>, Partial<OAuthPkceSettings>]>([
  ['secret', {}, { clientAuth: { method: 'client_secret_post', clientSecret: 'another' } }],
  ['way to authenticate', {}, { clientAuth: { method: 'client_secret_basic', clientSecret: 'a-secret' } }],
  ['name', { name: 'Notebooks' }, {}],
])('is the same registration with another %s', (_what, connector, settings) => {
  expect(registrationOf({ ...CONNECTOR, ...connector }, { ...SETTINGS, ...settings })).toBe(registered);
});
