import { expect, it } from '@jest/globals';
import { SUBJECT } from './testing/scene.ts';
import { WorkloadEntry } from './workload-entry.ts';

const OPERATION = { name: 'sites:list', subject_scope: 'mcp:tools:call', details: ['limit'] };
const SERVICE = { audience: 'https://api.example', operations: [OPERATION] };
const WORKLOAD = {
  ...{ client_id: 'tools', secrets: ['the-secret-of-the-tools'], subject_issuer: SUBJECT },
  services: [SERVICE],
};
const withService = (change: object) => ({ services: [{ ...SERVICE, ...change }] });
const withOperation = (change: object) => withService({ operations: [{ ...OPERATION, ...change }] });
const isAccepted = (change: object) => WorkloadEntry.safeParse({ ...WORKLOAD, ...change }).success;

it('has by default a lifetime of a minute, and neither context nor details', () => {
  const { details: _details, ...operation } = OPERATION;
  const entry = WorkloadEntry.parse({ ...WORKLOAD, ...withService({ operations: [operation] }) });
  expect(entry).toMatchObject({ lifetime_seconds: 60, context: [] });
  expect(entry.services[0]?.operations).toEqual([{ ...operation, details: [] }]);
});

it.each<[string, object]>([
  ['no service', { services: [] }],
  ['a lifetime of 5 s', { lifetime_seconds: 5 }],
  ['a lifetime of 300 s', { lifetime_seconds: 300 }],
  ['a context', { context: ['req_ip'] }],
  ['an issuer with discovery', { subject_issuer: { ...SUBJECT, jwks_uri: undefined } }],
  [
    'two services with the same operation',
    { services: [SERVICE, { ...SERVICE, audience: 'https://other.example' }] },
  ],
  ['two operations', withService({ operations: [OPERATION, { ...OPERATION, name: 'sites:get' }] })],
  ['a detail of 64 characters', withOperation({ details: ['a'.repeat(64)] })],
])('may have %s', (_case, change) => {
  expect(isAccepted(change)).toBe(true);
});

it.each<[string, object]>([
  ['no secret and no key', { secrets: [] }],
  ['no issuer of subject tokens', { subject_issuer: undefined }],
  ['an issuer of subject tokens that is no URL', { subject_issuer: { ...SUBJECT, issuer: 'tools' } }],
  ['no audience of subject tokens', { subject_issuer: { ...SUBJECT, audience: undefined } }],
  ['keys that are at no URL', { subject_issuer: { ...SUBJECT, jwks_uri: 'jwks' } }],
  ['a service twice', { services: [SERVICE, SERVICE] }],
  ['a service that is no URL', withService({ audience: 'api' })],
  ['an operation twice', withService({ operations: [OPERATION, OPERATION] })],
  ['an operation that no scope covers', withOperation({ subject_scope: undefined })],
  ['two operations in one', withOperation({ name: 'sites:list sites:get' })],
  ['an organization for the workload to choose', withOperation({ details: ['organization_id'] })],
  ['roles for the workload to choose', withOperation({ details: ['limit', 'roles'] })],
  ['a client for the workload to choose', { context: ['req_ip', 'client_id'] }],
  ['the prototype as a detail', withOperation({ details: ['__proto__'] })],
  ['a detail of 65 characters', withOperation({ details: ['a'.repeat(65)] })],
  ['a lifetime of 4 s', { lifetime_seconds: 4 }],
  ['a lifetime of 301 s', { lifetime_seconds: 301 }],
  ['a lifetime of parts of seconds', { lifetime_seconds: 60.5 }],
  ['a misspelt member', { service: [] }],
])('must not have %s', (_case, change) => {
  expect(isAccepted(change)).toBe(false);
});
