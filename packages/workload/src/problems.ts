import { type ProblemDeclarations, problemsOf, SERVICE_PROBLEMS } from '@legate/service';

/** Problems that a service may return to another service. */
export const WORKLOAD_PROBLEMS = {
  ...SERVICE_PROBLEMS,
  token_missing: {
    status: 401,
    title: 'Unauthorized',
    meaning: 'The request has no bearer token.',
    remedy: 'Send one in the Authorization header: "Bearer", a space, the token.',
  },
  token_invalid: {
    status: 401,
    title: 'Unauthorized',
    meaning: 'The bearer token is malformed, or was not issued for this service by an issuer that it trusts.',
    remedy: 'Get a token for this service. Asking again with the same one does not help.',
  },
  token_expired: {
    status: 401,
    title: 'Unauthorized',
    meaning: 'The bearer token was good, and its time is over.',
    remedy: 'Get a new token, by a refresh or by signing in again.',
  },
  insufficient_permission: {
    status: 403,
    title: 'Insufficient permission',
    meaning: 'The caller is known, and has not the right that required_scope names.',
    remedy:
      'Request a token with this scope; where the role, or the configuration, does not allow it, ask an administrator.',
  },
  workload_required: {
    status: 403,
    title: 'Forbidden',
    meaning: 'Only services may call this, each as itself. The token is that of a user.',
    remedy: 'Send a token of the client credentials grant.',
  },
  workload_unknown: {
    status: 403,
    title: 'Forbidden',
    meaning: 'The client of the token is not one of the services that are configured here.',
    remedy: 'Let the operator add it to WORKLOADS.',
  },
  idp_unavailable: {
    status: 503,
    title: 'Identity provider unavailable',
    meaning: 'The identity provider, or its signing keys, are currently unavailable. The token may be valid.',
    remedy: 'Try again after Retry-After. Keep the token.',
  },
} as const satisfies ProblemDeclarations;

export const problem = problemsOf(WORKLOAD_PROBLEMS);
