import { refuseBlockedClients } from '@legate/rate-limit/express';
import { unmatchedRoute } from '@legate/service';
import { createRedemption } from '@legate/transaction-tokens';
import { type Request, Router } from 'express';
import { requireOrganization } from './callers/admission/admission.ts';
import { authenticate, hasKnownToken } from './callers/authentication/authenticate.ts';
import { createIsSecurity } from './callers/limits/security-operations.ts';
import { authenticateKeys, hasKnownKey } from './callers/machines/authenticate-key.ts';
import { createAdmitTransaction } from './callers/transactions/admit-transaction.ts';
import { authenticateTransaction } from './callers/transactions/authenticate-transaction.ts';
import type { Core } from './features.ts';
import { mountOperations } from './http/api/mount-operations.ts';
import type { Operation } from './http/api/operation.ts';
import { createAnswerAgain } from './http/idempotency/answer-again.ts';
import { createAnswerOnce } from './http/idempotency/answer-once.ts';
import { referenceFiles } from './http/openapi/reference-page.ts';
import { descriptionOperations } from './http/openapi/routes.ts';
import type { Parts } from './parts.ts';
import { failuresAt } from './platform/limits.ts';
import type { Platform } from './platform/platform.ts';

/**
 * Mounts the middleware that all requests pass, then the declared operations and their description, for one
 * version of the API.
 */
export function createApi(
  { resource, issuer, clock, log }: Platform,
  parts: Parts,
  { makeChange, admission }: Core,
  declared: readonly Operation[],
): Router {
  const { transactions } = parts;
  const { verifyToken, userClaim, organizationRule } = parts.callers;
  const failures = failuresAt('ip', parts.limits, clock);
  const operations = transactions ? [...declared] : declared.map(withoutTransaction);
  operations.push(...descriptionOperations(operations, { resource, issuer, readSignIn: parts.readSignIn }));

  const users = authenticateKeys({
    keys: admission.keys,
    tokens: authenticate({ verifyToken, userClaim, organizationRule, failures }),
    failures,
    issuer,
    clock,
  });
  const isKnown = ({ headers }: Request) =>
    hasKnownToken(headers.authorization, verifyToken) ||
    hasKnownKey(headers.authorization, admission.keys) ||
    (transactions?.verifyWorkload.isKnown(headers.authorization) ?? false);

  const api = Router();
  api.use('/docs', referenceFiles());
  // The response is the same as for an unknown path, even without a token
  if (!parts.onboarding) api.use(['/oauth', '/invitations'], unmatchedRoute);
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

/** Removes the transaction scope, which the description omits if transaction tokens are not accepted. */
const withoutTransaction = ({ transaction: _off, ...operation }: Operation): Operation => operation;
