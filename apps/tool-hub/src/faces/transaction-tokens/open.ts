import { ASYMMETRIC_ALGORITHMS } from '@legate/jwt';
import { createClientAuthenticator, GRANT_TYPE, OAuthError } from '@legate/oauth';
import type { RateLimiter } from '@legate/rate-limit';
import { Counter } from '@legate/service';
import {
  createSubjectCheck,
  createTransactionTokenService,
  registerWorkloads,
} from '@legate/transaction-tokens';
import type { CallTrail } from '../../audit/call-trail.ts';
import { tokenDeniedEvent, tokenIssuedEvent } from '../../audit/token-events.ts';
import type { Platform } from '../../platform/platform.ts';
import type { SessionStore } from '../../sign-in/session-store.ts';
import { JWKS_PATH, type OAuthPart } from '../token-endpoint/oauth-part.ts';
import { createAccessCheck } from './access.ts';
import type { TransactionTokensOptions } from './options.ts';

/**
 * Maximum seconds during which a `client_assertion` can be presented: five minutes of lifetime, and a minute of skew at
 * both ends
 */
const CLIENT_ASSERTION_SECONDS = 420;

/**
 * Maximum share of one organization in a workload's limit, because users can trigger its requests as often as they like
 */
const ORGANIZATION_SHARE = 0.5;

/**
 * Opens the Transaction Token Service, which handles token exchanges of workloads.
 * @throws {Error} for a workload that cannot be registered
 */
export function openTransactionTokens(
  { publicUrl: issuer, clock, log, metrics }: Pick<Platform, 'publicUrl' | 'clock' | 'log' | 'metrics'>,
  options: TransactionTokensOptions,
  parts: {
    /** The issuer of the users that the services accept */
    identityProvider: string;
    /** False if services know users by another claim than the `sub` that a tool server gets */
    isSubTheUser: boolean;
    /** Times at which the access of users and organizations ended */
    ends: Pick<SessionStore, 'endsOf'>;
    limiter: RateLimiter;
    trail: Pick<CallTrail, 'note'>;
  },
): OAuthPart {
  const { signingKeys, perMinute } = options;
  const { limiter, trail } = parts;
  const outcomes = new Counter({
    name: 'transaction_tokens_total',
    help: 'Requests for transaction tokens, by workload and outcome; an empty workload is an unknown one',
    labelNames: ['workload', 'outcome'],
    registers: [metrics.registry],
  });
  const workloads = registerWorkloads(options.workloads, {
    issuer,
    getJson: options.getJson,
    onKeysRead: options.onKeysRead,
    clock,
  });
  const answer = createTransactionTokenService({
    issuer,
    authenticate: createClientAuthenticator({
      findClient: (clientId) => workloads.get(clientId),
      useAssertionOnce: (clientId, jti) =>
        options.useOnce(['client_assertion', clientId, jti], CLIENT_ASSERTION_SECONDS).catch(storeDown),
      allowPublic: false,
    }),
    checkSubject: createSubjectCheck({ identityProvider: parts.identityProvider, clock }),
    requireAccess: parts.isSubTheUser ? createAccessCheck(parts.ends) : refuseUnknownUser,
    signingKeys,
    limit: async (workloadId, organizationId) => {
      const count = async (whose: readonly string[], limit: number): Promise<void> => {
        const usage = await limiter.consume(JSON.stringify(['transaction-tokens', ...whose]), limit);
        if (usage.exceeded) throw tooMany(usage.resetAfterSeconds);
      };
      // Comes first, so that requests of a user's loop beyond the limit do not count against other organizations.
      if (organizationId !== undefined)
        await count([workloadId, organizationId], Math.ceil(perMinute * ORGANIZATION_SHARE));
      await count([workloadId], perMinute);
    },
    clock,
    log,
    onIssued: (issued) => trail.note(tokenIssuedEvent(issued, clock().getTime())),
    onDenied: (denied) => trail.note(tokenDeniedEvent(denied, clock().getTime())),
    onOutcome: (workload = '', outcome) => outcomes.inc({ workload, outcome }),
  });
  return {
    grants: new Map([
      [
        GRANT_TYPE.tokenExchange,
        async (req, res, form) => {
          const requestId = res.getHeader('X-Request-Id')?.toString();
          res.json(await answer(req.headers.authorization, form, requestId));
        },
      ],
    ]),
    metadata: { ...METADATA, jwks_uri: `${issuer}${JWKS_PATH}` },
    jwks: () => signingKeys.publicJwks(),
  };
}

const METADATA = {
  response_types_supported: [],
  grant_types_supported: [GRANT_TYPE.tokenExchange],
  token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'private_key_jwt'],
  token_endpoint_auth_signing_alg_values_supported: [...ASYMMETRIC_ALGORITHMS],
};

/** Refuses to name a user to services by an id that is nobody's there, and that no revocation contains. */
const refuseUnknownUser = async (): Promise<void> => {
  throw new OAuthError('access_denied', 'the sub of a user at tool servers is not their id');
};

const tooMany = (seconds: number): OAuthError =>
  new OAuthError('temporarily_unavailable', 'too many requests of this workload', {
    status: 429,
    headers: { 'Retry-After': String(seconds) },
  });

/** Refuses a request: without the store, it is unknown whether its assertion was used before. */
function storeDown(cause: unknown): never {
  throw new OAuthError('temporarily_unavailable', 'the replay store cannot be used', { cause });
}
