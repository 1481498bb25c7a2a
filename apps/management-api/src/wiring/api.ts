import type { CachedVerifyToken, IdpAccessTokenClaims } from '@legate/jwt';
import type { FailureLimiter } from '@legate/rate-limit';
import { refuseBlockedClients } from '@legate/rate-limit/express';
import { type Logger, unmatchedRoute } from '@legate/service';
import { createRedemption } from '@legate/transaction-tokens';
import { type Request, Router } from 'express';
import { requireOrganization } from '../admission/admission.ts';
import { authenticateKeys, hasKnownKey } from '../admission/authenticate-key.ts';
import { createIsSecurity } from '../admission/security-operations.ts';
import { mountOperations } from '../api/mount-operations.ts';
import type { Operation } from '../api/operation.ts';
import { authenticate, hasKnownToken } from '../authentication/authenticate.ts';
import type { MakeChange } from '../changes/change.ts';
import { createAnswerAgain } from '../idempotency/answer-again.ts';
import { createAnswerOnce } from '../idempotency/answer-once.ts';
import { referenceFiles } from '../openapi/reference-page.ts';
import { type DescribedApi, descriptionOperations } from '../openapi/routes.ts';
import { createAdmitTransaction } from '../transactions/admit-transaction.ts';
import { authenticateTransaction, type TransactionAccess } from '../transactions/authenticate-transaction.ts';
import type { Admission } from './admission.ts';

/** Serves the declared operations and their description: one version of the API. */
export function createApi(deps: {
  operations: readonly Operation[];
  hasOnboarding: boolean;
  description: DescribedApi;
  verifyToken: CachedVerifyToken<IdpAccessTokenClaims>;
  /** undefined: no service calls for users */
  transactions: TransactionAccess | undefined;
  failures: FailureLimiter;
  admission: Admission;
  makeChange: MakeChange;
  clock: () => Date;
  log: Logger;
}): Router {
  const { verifyToken, transactions, failures, admission, makeChange, clock, log } = deps;
  const operations = transactions ? [...deps.operations] : deps.operations.map(withoutTransaction);
  operations.push(...descriptionOperations(operations, deps.description));

  const users = authenticateKeys({
    keys: admission.keys,
    tokens: authenticate({ verifyToken, failures }),
    failures,
    issuer: deps.description.issuer,
    clock,
  });
  const isKnown = ({ headers }: Request) =>
    hasKnownToken(headers.authorization, verifyToken) ||
    hasKnownKey(headers.authorization, admission.keys) ||
    (transactions?.verifyWorkload.isKnown(headers.authorization) ?? false);

  const api = Router();
  api.use('/docs', referenceFiles());
  // Responds as for an unknown path, even without a token
  if (!deps.hasOnboarding) api.use(['/oauth', '/invitations'], unmatchedRoute);
  api.use(
    mountOperations(operations, {
      authenticate: [
        refuseBlockedClients(failures, isKnown),
        transactions
          ? authenticateTransaction({
              verifyWorkload: transactions.verifyWorkload,
              verifyTransaction: transactions.verifyTransaction,
              identityProvider: transactions.identityProvider,
              users,
              failures,
            })
          : users,
        admission.lookUp,
      ],
      admit: admission.admit(
        createIsSecurity(operations.filter(({ isSecurity }) => isSecurity !== undefined)),
      ),
      security: admission.security,
      requireOrganization: [requireOrganization],
      admitTransaction:
        transactions &&
        createAdmitTransaction({ redeem: createRedemption({ useOnce: transactions.useOnce, clock }), log }),
      makeChange,
      answerOnce: createAnswerOnce({ makeChange, clock }),
      answerAgain: createAnswerAgain({ makeChange, clock }),
    }),
  );
  return api;
}

/** If transaction tokens are not accepted, the description omits them. */
const withoutTransaction = ({ transaction: _off, ...operation }: Operation): Operation => operation;
