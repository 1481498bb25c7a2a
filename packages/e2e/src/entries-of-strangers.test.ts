import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { ROOT } from '@legate/dev';

/**
 * What strangers may use is limited by two parts of `@legate/rate-limit` alone (docs/adr/0089): an entry that proves clients or
 * tokens counts failures, and one without any proof takes from a budget.
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

it('each token endpoint reads its form by what limits failures', () => {
  // A logout token is no client's: it is signed by the identity provider, and used once.
  expect(filesWith(/\.\.\.tokenEndpointForm\(/)).toEqual([
    'apps/tool-hub/src/faces/revocations/logout.ts',
    'packages/oauth/src/express.ts',
  ]);
  expect(filesWith(/\bparseForm\(/)).toEqual([
    'apps/mock-idp/src/sign-in/routes.ts', // a page, whose passwords have a limit of their own
    'packages/oauth/src/express.ts',
    'packages/oauth/src/form.ts',
    'packages/tool-server/src/token-endpoint/token-handler.ts',
  ]);
  expect(read('packages/tool-server/src/token-endpoint/token-handler.ts')).toMatch(/\blimitFailures\(/);
});

it('each service that proves bearer tokens refuses those who keep failing', () => {
  const proving = filesWith(/\bauthenticateWorkload\(\{/).filter((file) => file.startsWith('apps/'));
  const refusing = filesWith(/\brefuseBlockedClients\(/);
  // The hub's tokens of workloads cost a check of a signature, as ID tokens do: there is no secret to guess.
  expect(proving.filter((file) => !refusing.includes(file))).toEqual([
    'apps/tool-hub/src/faces/revocations/routes.ts',
  ]);
});

it('nothing else counts by address', () => {
  expect(filesWith(/\bclientNetworks?\(|\.consume\([^)]*\b(?:ip|address|network)\b/)).toEqual([
    'apps/mock-idp/src/sign-in/attempts.ts', // passwords of development users
    'apps/tool-hub/src/faces/authorization/open-authorizations.ts',
    'apps/tool-hub/src/sign-in/note-token-refusals.ts', // what is logged
    'packages/rate-limit/src/client-address.ts',
    'packages/rate-limit/src/failure-limiter.ts',
    'packages/rate-limit/src/stranger-budget.ts',
  ]);
});

it('keys of others are read by what bounds them', () => {
  expect(filesWith(/\bcreateLocalJWKSet\(|\bimportJWK\(/)).toEqual([
    'apps/mock-idp/src/token-exchange/subject-token.ts', // our own
    'packages/cli/src/identity/verify.ts', // on the computer of who asks
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
])('%s takes from a budget of strangers', (_path, file) => {
  expect(read(file)).toMatch(/\blimitStrangers\(/);
  expect(read(file)).toMatch(/\bonlyNavigations\(/);
});
