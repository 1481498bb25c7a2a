import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { ROOT } from '@legate/dev';

/**
 * Checks that unauthenticated use is limited by two parts of `@legate/rate-limit` only (docs/adr/0089): an endpoint
 * that verifies clients or tokens counts failures, and one without any verification uses a budget.
 */

const SOURCES = ['apps', 'packages']
  .flatMap((folder) => readdirSync(`${ROOT}${folder}`).map((name) => `${folder}/${name}/src`))
  .flatMap((folder) =>
    readdirSync(`${ROOT}${folder}`, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  )
  .filter((file) => /\.ts$/.test(file))
  .filter((file) => !/\.test\.ts$|\/testing\/|^packages\/(?:bench|dev|e2e|mutation)\//.test(file));

const read = (file: string) => readFileSync(`${ROOT}${file}`, 'utf8');
const filesWith = (pattern: RegExp) => SOURCES.filter((file) => pattern.test(read(file))).sort();

it('each token endpoint reads its form with the module that limits failures', () => {
  // A logout token does not come from a client: the identity provider signs it, and it is used once.
  expect(filesWith(/\.\.\.tokenEndpointForm\(/)).toEqual([
    'apps/tool-hub/src/faces/revocations/logout.ts',
    'packages/oauth/src/express.ts',
  ]);
  expect(filesWith(/\bparseForm\(/)).toEqual([
    'apps/mock-idp/src/sign-in/routes.ts', // a page whose passwords have their own limit
    'packages/oauth/src/express.ts',
    'packages/oauth/src/form.ts',
    'packages/tool-server/src/token-endpoint/token-handler.ts',
  ]);
  expect(read('packages/tool-server/src/token-endpoint/token-handler.ts')).toMatch(/\blimitFailures\(/);
});

it('each service that verifies bearer tokens refuses addresses that keep failing', () => {
  const proving = filesWith(/\bauthenticateWorkload\(\{/).filter((file) => file.startsWith('apps/'));
  const refusing = filesWith(/\brefuseBlockedClients\(/);
  // The hub's tokens of workloads cost a check of a signature, as ID tokens do: there is no secret to guess.
  expect(proving.filter((file) => !refusing.includes(file))).toEqual([
    'apps/tool-hub/src/faces/revocations/routes.ts',
  ]);
});

it('no other code counts by address', () => {
  expect(filesWith(/\bclientNetworks?\(|\.consume\([^)]*\b(?:ip|address|network)\b/)).toEqual([
    'apps/mock-idp/src/sign-in/attempts.ts', // passwords of development users
    'apps/tool-hub/src/faces/authorization/open-authorizations.ts',
    'apps/tool-hub/src/sign-in/note-token-refusals.ts', // limits log lines
    'packages/rate-limit/src/client-address.ts',
    'packages/rate-limit/src/failure-limiter.ts',
    'packages/rate-limit/src/stranger-budget.ts',
  ]);
});

it('keys of others are read by code that limits them', () => {
  expect(filesWith(/\bcreateLocalJWKSet\(|\bimportJWK\(/)).toEqual([
    'apps/mock-idp/src/token-exchange/subject-token.ts', // our own
    'packages/cli/src/identity/verify.ts', // runs on the user's computer
    'packages/client-authentication/src/client-credentials.ts', // our own
    'packages/jwt/src/key-set.ts',
    'packages/jwt/src/signing-keys.ts', // our own
  ]);
  expect(read('packages/jwt/src/key-set.ts')).not.toMatch(/createLocalJWKSet\((?!usableKeys\()/);
});

it.each([
  ['/oauth/authorize', 'apps/tool-hub/src/faces/authorization/routes.ts'],
  ['/oauth/register', 'apps/tool-hub/src/faces/authorization/routes.ts'],
  ['/:connectorId', 'apps/tool-hub/src/faces/accounts/browser-routes.ts'],
  ['/onboarding', 'apps/management-api/src/people/onboarding/attempts.ts'],
])('%s uses a budget for unauthenticated requests', (_path, file) => {
  expect(read(file)).toMatch(/\blimitStrangers\(/);
  expect(read(file)).toMatch(/\bonlyNavigations\(/);
});
