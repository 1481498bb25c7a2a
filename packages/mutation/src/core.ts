/** Code whose faults let somebody in, and the tests that are to notice them. Paths are relative to the repository's root. */
export interface Part {
  /** Directories and files; of a directory all that is below, without tests. */
  readonly sources: readonly string[];
  /** Directories and files; of a directory all tests below it. Those that do not import the mutated file are left out. */
  readonly tests: readonly string[];
}

/** Each part proves itself: a fault that only the tests of another part notice counts as unnoticed. */
export const SECURITY_CORE: readonly Part[] = [
  { sources: ['packages/jwt/src'], tests: ['packages/jwt/src'] },
  {
    // Who a client is, which server a document is about, which token a request has; not the names of parameters.
    sources: [
      'bearer',
      'choose-issuer',
      'client-authentication',
      'client-file',
      'express',
      'form',
      'issuer-keys',
      'metadata',
      'scope',
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
      'packages/secure-store/src/secure-store.int.test.ts',
    ],
  },
  { sources: ['packages/tool-server/src'], tests: ['packages/tool-server/src'] },
  { sources: ['packages/workload/src'], tests: ['packages/workload/src'] },
  {
    sources: ['apps/mock-idp/src/token-exchange', 'apps/mock-idp/src/token-endpoint'],
    tests: ['apps/mock-idp/src/token-exchange', 'apps/mock-idp/src/token-endpoint'],
  },
  {
    sources: ['apps/tool-hub/src/caller'],
    tests: ['apps/tool-hub/src/caller', 'apps/tool-hub/src/app.int.test.ts'],
  },
  {
    sources: ['apps/tool-hub/src/delegation'],
    tests: [
      'apps/tool-hub/src/delegation',
      'apps/tool-hub/src/delegation.int.test.ts',
      'apps/tool-hub/src/passthrough.int.test.ts',
    ],
  },
  {
    sources: ['apps/tool-hub/src/discovery'],
    tests: ['apps/tool-hub/src/discovery', 'apps/tool-hub/src/delegation.int.test.ts'],
  },
  {
    sources: [
      'apps/tool-hub/src/oauth-connect/browser-cookie.ts',
      'apps/tool-hub/src/oauth-connect/connecting.ts',
      'apps/tool-hub/src/oauth-connect/flows.ts',
      'apps/tool-hub/src/oauth-connect/one-time.ts',
    ],
    tests: ['apps/tool-hub/src/oauth-connect'],
  },
  { sources: ['apps/tool-hub/src/revocations'], tests: ['apps/tool-hub/src/revocations'] },
  {
    sources: [
      'apps/tool-hub/src/sessions/endings.ts',
      'apps/tool-hub/src/sessions/logout.ts',
      'apps/tool-hub/src/sessions/renewal.ts',
    ],
    tests: ['apps/tool-hub/src/sessions'],
  },
  { sources: ['apps/tool-hub/src/transaction-tokens'], tests: ['apps/tool-hub/src/transaction-tokens'] },
  {
    sources: [
      'apps/management-api/src/caller/authenticate.ts',
      'apps/management-api/src/caller/rights.ts',
      'apps/management-api/src/caller/verify-token.ts',
      'apps/management-api/src/organizations/admission.ts',
    ],
    tests: [
      'apps/management-api/src/caller',
      'apps/management-api/src/organizations/admission.test.ts',
      'apps/management-api/src/organizations/admission.int.test.ts',
      'apps/management-api/src/tenant-isolation.int.test.ts',
    ],
  },
  { sources: ['apps/management-api/src/onboarding/claim.ts'], tests: ['apps/management-api/src/onboarding'] },
];
