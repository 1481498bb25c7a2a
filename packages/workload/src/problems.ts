import { type ProblemDeclarations, problemsOf, SERVICE_PROBLEMS } from '@legate/service';

/** Problems that a service may return to another service. */
export const WORKLOAD_PROBLEMS = {
  ...SERVICE_PROBLEMS,
  token_missing: {
    status: 401,
    title: 'Unauthorized',
    meaning: 'The request has no bearer token.',
    remedy: 'Send one in the Authorization header: "Bearer", a space, and the token.',
  },
  token_invalid: {
    status: 401,
    title: 'Unauthorized',
    meaning:
      'The bearer token is malformed, was issued for another service, or comes from an issuer that this service does not trust.',
    remedy: 'Get a token for this service. Trying again with the same token does not help.',
  },
  token_expired: {
    status: 401,
    title: 'Unauthorized',
    meaning: 'The bearer token has expired.',
    remedy: 'Refresh the token, or sign in again.',
  },
  insufficient_permission: {
    status: 403,
    title: 'Insufficient permission',
    meaning: 'The token is valid, but lacks the scope in required_scope.',
    remedy:
      'Request a token with this scope. If the role or the configuration does not allow it, ask an administrator.',
  },
  workload_required: {
    status: 403,
    title: 'Forbidden',
    meaning: 'Only services may call this, with a token of their own. The token belongs to a user.',
    remedy: 'Send a token from the client credentials grant.',
  },
  workload_unknown: {
    status: 403,
    title: 'Forbidden',
    meaning: 'The client of the token is not one of the services that are configured here.',
    remedy: 'Ask the operator to add the client to WORKLOADS.',
  },
  idp_unavailable: {
    status: 503,
    title: 'Identity provider unavailable',
    meaning:
      'The identity provider or its signing keys cannot be reached at the moment. The token may be valid.',
    remedy: 'Try again after Retry-After. Keep the token.',
  },
} as const satisfies ProblemDeclarations;

export const problem = problemsOf(WORKLOAD_PROBLEMS);
