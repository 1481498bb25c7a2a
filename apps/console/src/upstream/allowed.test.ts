import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { z } from 'zod';
import { ALLOWED, isAllowed, type UpstreamName } from './allowed.ts';

const Description = z.looseObject({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) });

const operationsOf = (file: string): string[] => {
  const url = new URL(`../../../../packages/contract/documents/${file}`, import.meta.url);
  const { paths } = Description.parse(JSON.parse(readFileSync(url, 'utf8')));
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{[^}]+\}/g, '*')}`),
  );
};
const DOCUMENTED = { api: operationsOf('management-api.json'), hub: operationsOf('tool-hub.json') };

const entries = (upstream: UpstreamName) =>
  ALLOWED[upstream].flatMap((line) => {
    const words = line.split(' ');
    const path = words.pop();
    return words.map((method) => `${method} ${path?.replace('{client}', '*')}`);
  });

it.each(['api', 'hub'] as const)(
  'lets every operation of the list of %s through, and no other',
  (upstream) => {
    const listed = entries(upstream);
    for (const operation of [...listed, ...DOCUMENTED[upstream]]) {
      const [method = '', path = ''] = operation.split(' ');
      expect([operation, isAllowed(upstream, method, path.replaceAll('*', 'id_1'))]).toEqual([
        operation,
        listed.includes(operation),
      ]);
    }
  },
);

it('refuses operations that issue a credential or that no page uses', () => {
  const left = (upstream: UpstreamName) =>
    DOCUMENTED[upstream].filter((operation) => !entries(upstream).includes(operation));
  expect(left('api')).toEqual([
    'GET /me',
    'GET /me/consents',
    'PUT /me/consents/*',
    'POST /organization/suspend',
    'POST /organization/reactivate',
    'POST /members/deny',
    'POST /me/leave',
    'GET /revocations/*',
    'POST /service-accounts/confirm',
    'PUT /service-accounts/*/client',
    'DELETE /service-accounts/*/client',
    'POST /sites/*/purge',
    'POST /agents/*/purge',
    'GET /agents/*/clients',
    'POST /agents/*/clients',
    'DELETE /agents/*/clients/*',
    'POST /connectors/*/purge',
    'GET /domains',
    'POST /domains',
    'GET /domains/*',
    'DELETE /domains/*',
    'POST /domains/*/verify',
    'GET /usage',
    'GET /oauth/sign-in',
    'GET /oauth/callback',
    'GET /oauth/session/*',
    'POST /oauth/create-org',
    'POST /oauth/consent',
    'GET /openapi.json',
    'GET /docs',
  ]);
  expect(left('hub')).toEqual([
    'POST /sessions',
    'DELETE /sessions/current',
    'DELETE /tokens',
    'GET /openapi.json',
  ]);
});

it.each([
  '/connectors/..',
  '/connectors/.',
  '/connectors/../me',
  '/../internal/v1/connectors',
  '/connectors/%2e%2e',
  '/connectors/%2E%2E/me',
  '/connectors/a%2Fb',
  '/connectors/a%5Cb',
  '/connectors/a\\b',
  '/connectors/a%252Fb',
  '/connectors/a%00',
  '/connectors/a%0d%0a',
  '/audit-events/current',
  '/audit-events/CURRENT',
  '/connectors/',
  '/connectors//',
  '//connectors',
  '/connectors/a/',
  '/connectors/a;/../b/c',
  '/Connectors',
  '/connectors/a b',
  '/connectors/a#b',
  '/connectors/a%zz',
  '',
  '/',
])('refuses the path %j', (path) => {
  expect(isAllowed('api', 'GET', path)).toBe(false);
});

it('accepts ids in the format of both services, and names with encoded characters', () => {
  expect(isAllowed('api', 'GET', '/connectors/con_01J9Z')).toBe(true);
  expect(isAllowed('api', 'GET', '/members/auth0%7Cab.c@x')).toBe(true);
  expect(isAllowed('hub', 'POST', '/connectors/con_1/tools/caf%C3%A9/call')).toBe(true);
});

const client = (address: string): boolean => isAllowed('hub', 'DELETE', `/clients/${address}`);

it('accepts the URL of a client only where a path names a client', () => {
  const address = encodeURIComponent('https://vscode.dev/oauth/client-metadata.json');
  expect(client(address)).toBe(true);
  expect(client('lac_01J9Z')).toBe(true);
  expect(isAllowed('hub', 'DELETE', `/sessions/${address}`)).toBe(false);
});

it.each([
  'http://client.example/a',
  'https://client.example/../../tokens',
  'https://client.example/..',
  'https://client.example/./a',
  'https://client.example//a',
  'https://client.example/',
  'https://client.example/a\\b',
  'https://client.example/a%2Fb',
  '/a',
  'a/b',
])('refuses %j as a client, encoded or not', (address) => {
  expect(client(address)).toBe(false);
  expect(client(encodeURIComponent(address))).toBe(false);
});
