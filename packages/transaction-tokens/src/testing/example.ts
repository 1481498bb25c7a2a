import type { SigningKeys, TrustedIssuer } from '@legate/jwt';
import { createClientAuthenticator } from '@legate/oauth';
import { createExchange } from '@legate/tool-server/services';
import {
  createRedemption,
  createSubjectCheck,
  createTransactionTokenService,
  createTransactionVerifier,
  registerWorkloads,
  WorkloadEntry,
} from '@legate/transaction-tokens';

const TOKENS = 'https://tokens.example';
const TOOLS = 'https://tools.example';
const API = 'https://api.example';
const clock = () => new Date();

/** A workload and the tokens that it gets: the tool server, which may list the sites of users who have called it. */
const tools = WorkloadEntry.parse({
  client_id: 'tools',
  secrets: ['the-secret-of-the-tools'],
  subject_issuer: { issuer: TOOLS, jwks_uri: `${TOOLS}/jwks`, audience: TOOLS },
  services: [
    {
      audience: API,
      operations: [{ name: 'sites:list', subject_scope: 'mcp:tools:call', details: ['limit'] }],
    },
  ],
});

/** The issuer. Its route parses the form and answers with the result, or with the `OAuthError`. */
export function createIssuer(signingKeys: SigningKeys, getJson: (url: string) => Promise<unknown>) {
  const workloads = registerWorkloads([tools], { issuer: TOKENS, getJson, clock });
  return createTransactionTokenService({
    issuer: TOKENS,
    authenticate: createClientAuthenticator({
      findClient: (clientId) => workloads.get(clientId),
      useAssertionOnce: async () => false, // `createUseOnce` of @legate/secure-store, for `private_key_jwt`
      allowPublic: false,
    }),
    checkSubject: createSubjectCheck({ identityProvider: 'https://idp.example', clock }),
    requireAccess: async () => {}, // throws where the user's access has ended
    signingKeys,
    limit: async () => {}, // throws where the workload asks too often
    clock,
    log: { info: () => {} },
    ...{ onIssued: () => {}, onDenied: () => {}, onOutcome: () => {} },
  });
}

/** The tool server: exchanges the access token of a call. `fetch` is one that judges addresses. */
export const createRequester = (fetch: typeof globalThis.fetch) =>
  createExchange({
    service: {
      tokenEndpoint: `${TOKENS}/token`,
      clientId: 'tools',
      clientSecret: 'the-secret-of-the-tools',
    },
    fetch,
  });

/** The service: for whom a workload calls, and whether the token is for this very request. */
export function createService(keys: TrustedIssuer['keys'], useOnce: () => Promise<boolean>) {
  const verify = createTransactionVerifier({ issuer: { issuer: TOKENS, keys }, audience: API, clock });
  const redeem = createRedemption({ useOnce, clock });
  return async (txnToken: string, workload: string, parameters: Record<string, string>) => {
    const transaction = await verify(txnToken, workload);
    const redemption = await redeem(transaction, { operation: 'sites:list', parameters });
    return { user: transaction.subject, organization: transaction.organizationId, redemption };
  };
}
