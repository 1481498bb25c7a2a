/**
 * Code whose faults would admit an attacker, and the tests that should notice them. Paths are relative to the
 * repository's root.
 */
export interface Part {
  /** Directories and files; a directory stands for all files below it except tests. */
  readonly sources: readonly string[];
  /**
   * Directories and files; a directory stands for all tests below it. Those that do not import the mutated file are
   * left out.
   */
  readonly tests: readonly string[];
}

/** The parts are tested separately: a fault that only the tests of another part notice counts as unnoticed. */
export const SECURITY_CORE: readonly Part[] = [
  { sources: ['packages/jwt/src'], tests: ['packages/jwt/src'] },
  { sources: ['packages/ids/src'], tests: ['packages/ids/src'] },
  { sources: ['packages/single-flight/src'], tests: ['packages/single-flight/src'] },
  {
    // Only code that decides: the client's identity, the subject of a document, the token of a request; not the names
    // of parameters.
    sources: [
      'bearer',
      'choose-issuer',
      'client-authentication',
      'client-file',
      'express',
      'form',
      'issuer-keys',
      'metadata',
      'protected-resource',
      'refusal',
      'scope',
      'token-request',
    ].map((name) => `packages/oauth/src/${name}.ts`),
    tests: ['packages/oauth/src'],
  },
  {
    // Connections to Redis are opened by connect-redis.ts and redis-settings.ts; they keep no secret apart.
    sources: [
      'packages/secure-store/src/envelope.ts',
      'packages/secure-store/src/memory-backend.ts',
      'packages/secure-store/src/one-time-use.ts',
      'packages/secure-store/src/redis-backend.ts',
      'packages/secure-store/src/secure-store.ts',
    ],
    tests: [
      'packages/secure-store/src/envelope.test.ts',
      'packages/secure-store/src/memory-backend.test.ts',
      'packages/secure-store/src/one-time-use.test.ts',
      'packages/secure-store/src/redis-backend.test.ts',
      'packages/secure-store/src/secure-store.test.ts',
      'packages/secure-store/src/secure-store.int.test.ts',
    ],
  },
  {
    sources: ['packages/service/src/server/end-answer.ts'],
    tests: ['packages/service/src/server/end-answer.test.ts'],
  },
  { sources: ['packages/tool-server/src'], tests: ['packages/tool-server/src'] },
  { sources: ['packages/workload/src'], tests: ['packages/workload/src'] },
  { sources: ['packages/client-authentication/src'], tests: ['packages/client-authentication/src'] },
  {
    sources: [
      'apps/mock-idp/src/directory/client-authentication.ts',
      'apps/mock-idp/src/token-exchange',
      'apps/mock-idp/src/token-endpoint',
    ],
    tests: ['apps/mock-idp/src/token-exchange', 'apps/mock-idp/src/token-endpoint'],
  },
  {
    sources: [
      'apps/tool-hub/src/domain/presence.ts',
      'apps/tool-hub/src/domain/user-rights.ts',
      'apps/tool-hub/src/sign-in/authenticate.ts',
      'apps/tool-hub/src/sign-in/verify-caller.ts',
      'apps/tool-hub/src/sign-in/verify-id-token.ts',
    ],
    tests: [
      'apps/tool-hub/src/domain',
      'apps/tool-hub/src/sign-in/authenticate.test.ts',
      'apps/tool-hub/src/sign-in/verify-caller.test.ts',
      'apps/tool-hub/src/app.int.test.ts',
    ],
  },
  {
    sources: [
      'packages/delegation/src/obtain-credential.ts',
      'packages/delegation/src/fallback.ts',
      'packages/delegation/src/methods',
      'packages/delegation/src/shared-flight.ts',
      'packages/delegation/src/token-owner.ts',
      'packages/delegation/src/use-record.ts',
      'packages/delegation/src/oauth-peers/discovery',
      'packages/delegation/src/oauth-peers/identity-provider.ts',
      'packages/delegation/src/oauth-peers/token-checks.ts',
      'packages/delegation/src/oauth-peers/token-client.ts',
      'packages/delegation/src/oauth-peers/token-request.ts',
      'packages/delegation/src/token-cache',
    ],
    tests: ['packages/delegation/src'],
  },
  {
    sources: ['packages/mcp-client/src/secret-echo.ts'],
    tests: ['packages/mcp-client/src/secret-echo.test.ts'],
  },
  {
    // The messages between the two services: no token gets into the audit trail, and revocations are unambiguous.
    sources: [
      'packages/management-contract/src/audit-event.ts',
      'packages/management-contract/src/event-text.ts',
      'packages/management-contract/src/organization-document.ts',
      'packages/management-contract/src/revocation.ts',
    ],
    tests: ['packages/management-contract/src'],
  },
  {
    sources: [
      'apps/tool-hub/src/faces/api/token-routes.ts',
      'apps/tool-hub/src/calls/delegations.ts',
      'apps/tool-hub/src/calls/auth-methods.ts',
    ],
    tests: [
      'apps/tool-hub/src/faces/api/token-routes.test.ts',
      'apps/tool-hub/src/delegation.int.test.ts',
      'apps/tool-hub/src/passthrough.int.test.ts',
      'apps/tool-hub/src/replicas.int.test.ts',
    ],
  },
  {
    sources: [
      'apps/tool-hub/src/faces/accounts/browser-cookie.ts',
      'apps/tool-hub/src/faces/accounts/consent-flow.ts',
      'apps/tool-hub/src/faces/accounts/consent-link.ts',
      'apps/tool-hub/src/faces/accounts/consent-partners.ts',
      'apps/tool-hub/src/faces/accounts/keep-consent.ts',
      'apps/tool-hub/src/faces/accounts/pending-consents.ts',
      'apps/tool-hub/src/faces/accounts/one-time.ts',
    ],
    tests: ['apps/tool-hub/src/faces/accounts'],
  },
  {
    sources: ['apps/tool-hub/src/faces/revocations', 'apps/tool-hub/src/platform/announcements.ts'],
    tests: ['apps/tool-hub/src/faces/revocations', 'apps/tool-hub/src/platform'],
  },
  {
    sources: ['apps/tool-hub/src/sign-in/endings.ts', 'apps/tool-hub/src/sign-in/renewal.ts'],
    tests: ['apps/tool-hub/src/sign-in'],
  },
  {
    // Not settings.ts, which only describes the settings.
    sources: [
      'apps/tool-hub/src/faces/transaction-tokens/access.ts',
      'apps/tool-hub/src/faces/transaction-tokens/open.ts',
      'apps/tool-hub/src/faces/token-endpoint/routes.ts',
      'apps/tool-hub/src/faces/transaction-tokens/workloads-file.ts',
    ],
    tests: ['apps/tool-hub/src/faces/transaction-tokens'],
  },
  { sources: ['packages/transaction-tokens/src'], tests: ['packages/transaction-tokens/src'] },
  {
    sources: [
      ...[
        'admission/admission',
        'admission/require-scope',
        'admission/while-suspended',
        'limits/security-operations',
        'machines/allowed-address',
        'machines/authenticate-key',
        'machines/confirmed-clients',
        'machines/key-standings',
        'machines/machine-caller',
        'machines/machine-role',
        'standing/member-role',
      ].map((name) => `apps/management-api/src/callers/${name}.ts`),
      'apps/management-api/src/callers/authentication/authenticate.ts',
      'apps/management-api/src/callers/authentication/holder-of-token.ts',
      'apps/management-api/src/callers/authentication/verify-token.ts',
      'apps/management-api/src/domain/rights.ts',
      'apps/management-api/src/domain/secret-token.ts',
    ],
    tests: [
      'apps/management-api/src/callers',
      'apps/management-api/src/domain/rights.test.ts',
      'apps/management-api/src/domain/secret-token.test.ts',
      'apps/management-api/src/people/organizations/status-matrix.int.test.ts',
      'apps/management-api/src/tenant-isolation.int.test.ts',
    ],
  },
  {
    sources: ['acceptance', 'eligibility', 'finish'].map(
      (name) => `apps/management-api/src/people/invitations/${name}.ts`,
    ),
    tests: [
      'apps/management-api/src/people/invitations',
      'apps/management-api/src/people/onboarding/pages/invitation.int.test.ts',
    ],
  },
  {
    sources: ['key-making', 'maker'].map(
      (name) => `apps/management-api/src/people/service-accounts/${name}.ts`,
    ),
    tests: ['apps/management-api/src/people/service-accounts'],
  },
  {
    sources: ['apps/management-api/src/people/onboarding/claim.ts'],
    tests: ['apps/management-api/src/people/onboarding'],
  },
];
