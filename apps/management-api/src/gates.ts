import { refuseBlockedClients } from '@legate/rate-limit/express';
import { unmatchedRoute } from '@legate/service';
import { createRedemption } from '@legate/transaction-tokens';
import { type Request, Router } from 'express';
import { requireOrganization } from './admission/admission.ts';
import { authenticateKeys, hasKnownKey } from './admission/authenticate-key.ts';
import { createIsSecurity } from './admission/security-operations.ts';
import { mountOperations } from './api/mount-operations.ts';
import type { Operation } from './api/operation.ts';
import { authenticate, hasKnownToken } from './authentication/authenticate.ts';
import type { Core } from './features.ts';
import { createAnswerAgain } from './idempotency/answer-again.ts';
import { createAnswerOnce } from './idempotency/answer-once.ts';
import { referenceFiles } from './openapi/reference-page.ts';
import { descriptionOperations } from './openapi/routes.ts';
import type { Parts } from './parts.ts';
import { failuresAt } from './platform/limits.ts';
import type { Platform } from './platform/platform.ts';
import { createAdmitTransaction } from './transactions/admit-transaction.ts';
import { authenticateTransaction } from './transactions/authenticate-transaction.ts';

/** Serves the declared operations and their description behind the gates, in their order: one version of the API. */
export function createApi(
  { resource, issuer, clock, log }: Platform,
  parts: Parts,
  { makeChange, admission }: Core,
  declared: readonly Operation[],
): Router {
  const { transactions } = parts;
  const { verifyToken } = parts.callers;
  const failures = failuresAt('ip', parts.limits, clock);
  const operations = transactions ? [...declared] : declared.map(withoutTransaction);
  operations.push(...descriptionOperations(operations, { resource, issuer, readSignIn: parts.readSignIn }));

  const users = authenticateKeys({
    keys: admission.keys,
    tokens: authenticate({ verifyToken, failures }),
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
  // Responds as for an unknown path, even without a token
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

/** If transaction tokens are not accepted, the description omits them. */
const withoutTransaction = ({ transaction: _off, ...operation }: Operation): Operation => operation;
