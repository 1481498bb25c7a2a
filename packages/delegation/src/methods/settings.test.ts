import { expect, it } from '@jest/globals';
import type { ConnectorFields } from '../domain/method-settings.ts';
import { AUTH_METHODS, type AuthMethod } from './facts.ts';
import { readSettings } from './settings.ts';

const CLIENT = {
  clientId: 'hub-at-tools',
  clientAuth: { method: 'client_secret', clientSecret: 'a-secret' },
} as const;
const FIELDS: ConnectorFields = {
  issuer: 'https://as.example',
  audience: 'tools',
  passthroughAudiences: ['app'],
  exchange: () => ({ audience: 'api://tools', tokenAudience: 'tools' }),
  client: () => CLIENT,
  optionalClient: () => ({ clientId: undefined, clientAuth: undefined }),
  serviceKey: () => ({ kind: 'api_key', header: 'x-key', value: 'a-key' }),
};

it.each<[AuthMethod, object]>([
  ['id-jag', { ...CLIENT, issuer: 'https://as.example', audience: 'tools' }],
  ['token-exchange', { audience: 'api://tools', tokenAudience: 'tools', issuer: 'https://as.example' }],
  ['oauth-pkce', { clientId: undefined, clientAuth: undefined, issuer: 'https://as.example' }],
  ['passthrough', { acceptedAudiences: ['app'] }],
  ['service', { key: { kind: 'api_key', header: 'x-key', value: 'a-key' } }],
])('reads the settings of %s from the fields of its connector', (method, settings) => {
  expect(readSettings(method, FIELDS)).toEqual({ method, ...settings });
});

it('reads settings that name their method', () => {
  for (const { name } of AUTH_METHODS) expect(readSettings(name, FIELDS).method).toBe(name);
});

it('rethrows the error of a field', () => {
  const client = () => {
    throw new Error('it has no client');
  };
  expect(() => readSettings('id-jag', { ...FIELDS, client })).toThrow('it has no client');
});
