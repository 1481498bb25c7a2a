import { type ProblemDeclarations, problemsOf, SERVICE_PROBLEMS, VALIDATION_PROBLEMS } from '@legate/service';

/** All problems of the admin API, and of unknown routes. OAuth endpoints return the errors of RFC 6749 §5.2. */
export const PROBLEMS = {
  ...SERVICE_PROBLEMS,
  ...VALIDATION_PROBLEMS,
  token_missing: {
    status: 401,
    title: 'Unauthorized',
    meaning: 'The request has no bearer token.',
    remedy: 'Send the key of the admin API in the Authorization header: "Bearer", a space, the key.',
  },
  token_invalid: {
    status: 401,
    title: 'Unauthorized',
    meaning: 'The bearer token is not the key of the admin API.',
    remedy: 'Send what is configured as IDP_ADMIN_API_KEY.',
  },
  access_tokens_own: {
    status: 409,
    title: 'Conflict',
    meaning: 'The imitated provider issues access tokens only for its own APIs, not for yours.',
    remedy: 'To use the management API, set another PERSONALITY, or none.',
  },
  client_exists: {
    status: 409,
    title: 'Conflict',
    meaning: 'Another client has this client_id.',
    remedy: 'Choose another one, or change the existing client.',
  },
  external_id_taken: {
    status: 409,
    title: 'Conflict',
    meaning: 'Another organization has this external_id.',
    remedy: 'Choose another one.',
  },
  organization_exists: {
    status: 409,
    title: 'Conflict',
    meaning: 'Another organization has this id or external_id.',
    remedy: 'Choose another one, or use the existing organization.',
  },
  policy_exists: {
    status: 409,
    title: 'Conflict',
    meaning: 'Another policy has this id.',
    remedy: 'Choose another one, or change the existing policy.',
  },
  resource_server_exists: {
    status: 409,
    title: 'Conflict',
    meaning: 'This resource is registered already.',
    remedy: 'Send the whole registration with PUT /admin/resource-servers to replace it.',
  },
  signing_keys_shared: {
    status: 409,
    title: 'Conflict',
    meaning:
      'The processes share Redis, and a signing key that one of them creates would be unknown to the others.',
    remedy:
      'Add the new key to SIGNING_KEYS of all processes, after the old one. Ten minutes later, move it to the front.',
  },
  user_exists: {
    status: 409,
    title: 'Conflict',
    meaning: 'Another user has this id or e-mail address.',
    remedy: 'Choose another one, or change the existing user.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'Idempotency-Key reused',
    meaning: 'This Idempotency-Key was used for another request.',
    remedy: 'Send a new key with each new request.',
  },
  service_unavailable: {
    status: 503,
    title: 'Service unavailable',
    meaning: 'The store of the identity provider is not available at the moment.',
    remedy: 'Try again after Retry-After.',
  },
} as const satisfies ProblemDeclarations;

export const problem = problemsOf(PROBLEMS);
