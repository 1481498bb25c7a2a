import type { SigningKeys } from '@legate/jwt';
import { createClientAuthenticator, OAuthError } from '@legate/oauth';
import { type AuthenticationFailures, oauthErrorHandler } from '@legate/oauth/express';
import type { UseOnce } from '@legate/secure-store';
import type { Logger } from '@legate/service';
import { Router } from 'express';
import { metadataRoutes, tokenRoutes } from './routes.ts';
import { createTransactionTokenService } from './service.ts';
import { createSubjectCheck } from './subject.ts';
import { registerWorkloads } from './workload.ts';
import type { WorkloadEntry } from './workloads-file.ts';

/** Seconds that a `client_assertion` can be presented at most: five minutes of life and a minute of skew at both ends. */
const CLIENT_ASSERTION_SECONDS = 420;

export interface TransactionTokensOptions {
  readonly workloads: readonly WorkloadEntry[];
  /** Sign transaction tokens and nothing else; shared by the replicas of a hub. */
  readonly signingKeys: SigningKeys;
  /** Remembers client assertions; shared likewise. */
  readonly useOnce: UseOnce;
  readonly failures: AuthenticationFailures;
  /** The guarded client's */
  readonly getJson: (url: string) => Promise<unknown>;
}

/**
 * The Transaction Token Service, mounted at the root.
 * @param deps.issuer our public URL
 * @param deps.identityProvider whose users the services know
 * @throws {Error} for a workload that cannot be registered
 */
export function createTransactionTokens(
  deps: TransactionTokensOptions & {
    issuer: string;
    identityProvider: string;
    clock: () => Date;
    log: Logger;
  },
): Router {
  const { issuer, signingKeys, clock, log } = deps;
  const workloads = registerWorkloads(deps.workloads, { issuer, getJson: deps.getJson, clock });
  const answer = createTransactionTokenService({
    issuer,
    authenticate: createClientAuthenticator({
      findClient: (clientId) => workloads.get(clientId),
      useAssertionOnce: (clientId, jti) =>
        deps.useOnce(['client_assertion', clientId, jti], CLIENT_ASSERTION_SECONDS).catch(storeDown),
      allowPublic: false,
    }),
    checkSubject: createSubjectCheck({ identityProvider: deps.identityProvider, clock }),
    signingKeys,
    clock,
    log,
  });
  const router = Router();
  router.use(tokenRoutes({ failures: deps.failures, answer }));
  router.use(oauthErrorHandler(log)); // of the routes before it; those behind it have problems
  router.use(metadataRoutes({ issuer, signingKeys }));
  return router;
}

/** Without the store nobody can say whether an assertion was used before. */
function storeDown(cause: unknown): never {
  throw new OAuthError('temporarily_unavailable', 'the replay store cannot be used', { cause });
}
