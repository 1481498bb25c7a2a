import type { Declared, ProblemDeclarations } from '@legate/service';
import { WORKLOAD_PROBLEMS } from '@legate/workload';

/** All that the API, and its pages at a sign-in, may answer. */
export const PROBLEMS = {
  ...WORKLOAD_PROBLEMS,
  validation_failed: {
    status: 400,
    title: 'Request validation failed',
    meaning: 'The request can be read, and something in it is not as it must be. errors names each place.',
    remedy: 'Mend what errors names. The same request will be refused again.',
  },
  unknown_parameter: {
    status: 400,
    title: 'Request validation failed',
    meaning: 'The query has a parameter that is not known here. errors names it.',
    remedy: 'Leave it out: it may be mistyped.',
  },
  oauth_state_invalid: {
    status: 400,
    title: 'Sign-in cannot be continued',
    meaning: 'The sign-in was begun in another browser, too long ago, or has been completed.',
    remedy: 'Sign in again.',
  },
  transaction_token_expired: {
    status: 401,
    title: 'Unauthorized',
    meaning: 'The transaction token was good, and its time is over.',
    remedy: 'Get a new one for each operation, just before it.',
  },
  transaction_token_invalid: {
    status: 401,
    title: 'Unauthorized',
    meaning: 'The Txn-Token header has no transaction token for this API that its issuer signed.',
    remedy: 'Get one for this API from the transaction token service.',
  },
  cross_site_request: {
    status: 403,
    title: 'Sent by another site',
    meaning: 'The form was sent by a page of another site.',
    remedy: 'Use the form of this service.',
  },
  csrf_token_invalid: {
    status: 403,
    title: 'CSRF token invalid',
    meaning: 'The csrfToken is not the one that was given for this step.',
    remedy: 'Read the session again and send its csrfToken.',
  },
  idp_access_denied: {
    status: 403,
    title: 'Access denied',
    meaning:
      'The identity provider did not sign the user in: it was cancelled, or he may not use this application.',
    remedy: 'Sign in again, or ask an administrator.',
  },
  membership_revoked: {
    status: 403,
    title: 'Membership revoked',
    meaning: 'The user is no longer a member of the organization.',
    remedy: 'Ask an owner of the organization if that is not right.',
  },
  organization_id_required: {
    status: 403,
    title: 'Organization required',
    meaning: 'The token names no organization, and this concerns one.',
    remedy: 'Request a token for an organization.',
  },
  organization_suspended: {
    status: 403,
    title: 'Organization suspended',
    meaning: 'Nobody can work with this organization at the moment.',
    remedy: 'Ask its owner.',
  },
  role_escalation: {
    status: 403,
    title: 'Role escalation',
    meaning: 'Only an owner may make, change or remove an owner.',
    remedy: 'Ask an owner.',
  },
  transaction_mismatch: {
    status: 403,
    title: 'Forbidden',
    meaning: 'The transaction token is good, and for another operation, thing or caller.',
    remedy: 'Get one for exactly this operation.',
  },
  transaction_used: {
    status: 403,
    title: 'Forbidden',
    meaning: 'The transaction token is good, and its one use is over.',
    remedy: 'Get a new one for each operation.',
  },
  onboarding_session_not_found: {
    status: 404,
    title: 'Onboarding session not found',
    meaning: 'There is no such onboarding session of this user.',
    remedy: 'Sign in again.',
  },
  organization_not_found: {
    status: 404,
    title: 'Organization not found',
    meaning: 'There is no such organization, or there is no more.',
    remedy: 'Compare the id with the one in the token of a user.',
  },
  unsupported_version: {
    status: 404,
    title: 'Unsupported API version',
    meaning: 'The API is not served in this version.',
    remedy: 'Use the version that detail names, or a path without one.',
  },
  not_acceptable: {
    status: 406,
    title: 'Not acceptable',
    meaning:
      'The Accept header takes neither application/json nor application/problem+json. Nothing was done.',
    remedy: 'Accept one of them.',
  },
  agent_in_use: {
    status: 409,
    title: 'Agent in use',
    meaning: 'Sites use the agent that is to be deleted.',
    remedy: 'Remove it from them, or send force=true.',
  },
  confirmation_mismatch: {
    status: 409,
    title: 'Confirmation does not match',
    meaning: 'confirm is not the name of the organization that is to be deleted. Nothing was done.',
    remedy: 'Send the name exactly as it is.',
  },
  domain_already_added: {
    status: 409,
    title: 'Domain already added',
    meaning: 'The organization has this domain already.',
    remedy: 'Use the one that is there.',
  },
  domain_verified_elsewhere: {
    status: 409,
    title: 'Domain verified elsewhere',
    meaning: 'Another organization has proved that this domain is its own.',
    remedy: 'Remove it there first.',
  },
  idempotency_in_progress: {
    status: 409,
    title: 'Request in progress',
    meaning: 'A request with this Idempotency-Key is being answered.',
    remedy: 'Try again after Retry-After, with the same key.',
  },
  last_owner: {
    status: 409,
    title: 'Last owner',
    meaning: 'The organization would have no owner.',
    remedy: 'Make another member an owner first.',
  },
  onboarding_in_progress: {
    status: 409,
    title: 'Conflict',
    meaning: 'The organization is being created, by another request of this session.',
    remedy: 'Try again after Retry-After.',
  },
  onboarding_session_conflict: {
    status: 409,
    title: 'Conflict',
    meaning: 'An organization of another name was asked for in this session.',
    remedy: 'Go on with that one, or sign in again.',
  },
  onboarding_session_used: {
    status: 409,
    title: 'Conflict',
    meaning: 'The session has come to its end: the decision is saved.',
    remedy: 'Sign in again to decide anew.',
  },
  onboarding_signed_in_again: {
    status: 409,
    title: 'Signed in again',
    meaning: 'The form is of a sign-in that is no longer the one of this browser.',
    remedy: 'Use the form of the newer sign-in.',
  },
  organization_exists: {
    status: 409,
    title: 'Conflict',
    meaning: 'The user has an organization, so no other one was created.',
    remedy:
      'Sign in again for a token that names it; an administrator of the identity provider can have it named.',
  },
  organization_link_refused: {
    status: 409,
    title: 'Organization not linked',
    meaning: 'The user has an organization, but the identity provider does not let him in.',
    remedy: 'Ask the administrator of the identity provider.',
  },
  origin_limit_reached: {
    status: 409,
    title: 'Too many origins',
    meaning: 'The site has as many origins as a site may have, those of limited time included.',
    remedy: 'Remove one first.',
  },
  quota_exceeded: {
    status: 409,
    title: 'Quota exceeded',
    meaning: 'The organization has as many things of this kind as it may have.',
    remedy: 'Deleted ones count until they cannot be restored any more. Ask the operator for more.',
  },
  resource_already_registered: {
    status: 409,
    title: 'Resource already registered',
    meaning: 'The organization has another connector for this resource_url.',
    remedy: 'Change that one.',
  },
  resource_changed: {
    status: 409,
    title: 'Resource changed',
    meaning: 'The connector was changed while it was checked.',
    remedy: 'Check it again.',
  },
  secret_not_applicable: {
    status: 409,
    title: 'Secret not applicable',
    meaning: 'The method of the connector has no secret.',
    remedy: 'Change the method first.',
  },
  fallback_not_used: {
    status: 409,
    title: 'Fallback not used',
    meaning: 'The connector has no fallback that could be approved.',
    remedy: 'Set fallback first, if another method is to stand in for id-jag.',
  },
  secret_required: {
    status: 409,
    title: 'Secret required',
    meaning: 'An enabled connector needs its secret.',
    remedy: 'Send enabled: false first, or a new secret.',
  },
  tool_hub_not_configured: {
    status: 409,
    title: 'Tool hub not configured',
    meaning: 'This deployment has no tool hub to tell.',
    remedy: 'Ask the operator.',
  },
  onboarding_session_expired: {
    status: 410,
    title: 'Onboarding session expired',
    meaning: 'The session ended by time. What was finished is kept.',
    remedy: 'Sign in again to continue.',
  },
  version_mismatch: {
    status: 412,
    title: 'Version mismatch',
    meaning: 'It was changed since it was read. Nothing was done.',
    remedy: 'Read it again, and send the new ETag as If-Match.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'Idempotency-Key reused',
    meaning: 'This Idempotency-Key was used for another request in the last 24 hours.',
    remedy: 'Send a new key with a new request.',
  },
  rate_limit_exceeded: {
    status: 429,
    title: 'Rate limit exceeded',
    meaning: 'More requests came in a minute than the plan of the organization, or another limit, allows.',
    remedy: 'Try again after Retry-After. X-RateLimit-Remaining tells what is left.',
  },
  concurrency_exceeded: {
    status: 429,
    title: 'Too many requests at once',
    meaning: 'As many requests of the organization are being answered as may be at a time.',
    remedy: 'Wait for an answer before the next request, and try again after Retry-After.',
  },
  idp_error: {
    status: 502,
    title: 'Identity provider error',
    meaning: 'The identity provider gave an answer that cannot be used.',
    remedy: 'Try again; if it stays like this, tell the operator the request_id.',
  },
  resource_unreachable: {
    status: 502,
    title: 'Resource unreachable',
    meaning: 'The tool server cannot be reached from here, or may not be.',
    remedy: 'Compare resource_url with the address of the tool server.',
  },
  tool_hub_error: {
    status: 502,
    title: 'Tool hub error',
    meaning: 'The tool hub refused what it was told. The operator must look.',
    remedy: 'Tell the operator the request_id.',
  },
  secrets_unavailable: {
    status: 503,
    title: 'Secrets cannot be stored',
    meaning: 'This deployment has no encryption keys for secrets.',
    remedy: 'The operator must set CONNECTOR_ENCRYPTION_KEYS.',
  },
  service_unavailable: {
    status: 503,
    title: 'Service unavailable',
    meaning: 'Something that the answer needs, such as the database, does not answer at the moment.',
    remedy: 'Try again after Retry-After.',
  },
  tool_hub_unavailable: {
    status: 503,
    title: 'Tool hub unavailable',
    meaning: 'The tool hub does not answer at the moment.',
    remedy: 'Try again after Retry-After.',
  },
} as const satisfies ProblemDeclarations;

type ApiProblems = Declared<typeof PROBLEMS>;
declare module '@legate/service' {
  interface DeclaredProblems extends ApiProblems {}
}
