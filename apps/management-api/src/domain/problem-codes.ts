import { type ProblemDeclaration, problemsOf, VALIDATION_PROBLEMS } from '@legate/service';
import { WORKLOAD_PROBLEMS } from '@legate/workload';

/** A link on the page about a problem */
export type WayOn = 'sign_in' | 'other_account' | 'onward';

/** The texts that a person reads in a browser */
export interface PageText {
  readonly title: string;
  readonly text: string;
  /** The links of the page, the most useful one first. Default: onward */
  readonly ways?: readonly WayOn[];
}

/** The texts of a problem */
export interface Refusal extends ProblemDeclaration {
  /** Undefined for a problem that does not occur in a browser; one that does anyway gets `NO_PAGE_TEXT` */
  readonly page?: PageText;
  /** The page for a browser that has opened the link of an invitation */
  readonly invitationPage?: PageText;
}

/** All problems that the API, and its sign-in pages, may return. */
export const PROBLEMS = {
  ...WORKLOAD_PROBLEMS,
  ...VALIDATION_PROBLEMS,
  idp_unavailable: {
    ...WORKLOAD_PROBLEMS.idp_unavailable,
    page: {
      title: 'The identity provider does not respond',
      text: 'This is not your fault, and nothing is lost. Wait a few seconds, then try again.',
    },
  },
  not_found: {
    ...WORKLOAD_PROBLEMS.not_found,
    page: { title: 'Page not found', text: 'Check the address for typing errors.' },
  },
  validation_failed: {
    ...VALIDATION_PROBLEMS.validation_failed,
    page: {
      title: 'This request cannot be read',
      text: 'The form or the address is incomplete, or does not belong to this service. Nothing has been changed.',
    },
  },
  internal_error: {
    ...WORKLOAD_PROBLEMS.internal_error,
    page: {
      title: 'Something went wrong on our side',
      text: 'The error has been logged. Try again; if it happens again, send your administrator the request id below.',
    },
  },
  unknown_parameter: {
    status: 400,
    title: 'Request validation failed',
    meaning: 'The query has an unknown parameter, which errors names.',
    remedy: 'Check its spelling, or leave it out.',
  },
  cursor_invalid: {
    status: 400,
    title: 'Cursor invalid',
    meaning:
      'The cursor, or the event in after, does not belong to this list: filters, order or caller changed, or the event was deleted.',
    remedy: 'Start again without it.',
  },
  not_permitted: {
    status: 400,
    title: 'Filter not permitted',
    meaning: 'The role of the caller does not allow this filter, which detail names.',
    remedy: 'Leave it out, or ask an administrator for a role that allows it.',
  },
  oauth_state_invalid: {
    status: 400,
    title: 'Sign-in cannot be continued',
    meaning: 'The sign-in was started in another browser, too long ago, or has been completed.',
    remedy: 'Sign in again.',
    page: {
      title: 'This sign-in cannot continue',
      text: 'You started it in another tab or browser, or too long ago, or you have completed it already.',
      ways: ['onward', 'sign_in'],
    },
  },
  transaction_token_expired: {
    status: 401,
    title: 'Unauthorized',
    meaning: 'The transaction token has expired.',
    remedy: 'Get a new one for each operation, just before you send it.',
  },
  transaction_token_invalid: {
    status: 401,
    title: 'Unauthorized',
    meaning: 'The Txn-Token header contains no valid transaction token for this API.',
    remedy: 'Get one for this API from the transaction token service.',
  },
  address_not_allowed: {
    status: 403,
    title: 'Address not allowed',
    meaning: 'The API key may not be used from the address of the caller.',
    remedy: 'Send the request from an allowed network, or create a key with this address in allowed_ips.',
  },
  cross_site_request: {
    status: 403,
    title: 'Sent by another site',
    meaning: 'A page of another site sent the form.',
    remedy: 'Use the form on the pages of this service.',
    page: {
      title: 'This was sent by another website',
      text: 'For your safety, only forms from our own pages are accepted. Nothing has been changed.',
    },
  },
  csrf_token_invalid: {
    status: 403,
    title: 'CSRF token invalid',
    meaning: 'The csrfToken is not the one of the current step.',
    remedy: 'Read the session again and send its csrfToken.',
    page: {
      title: 'This form is out of date',
      text: 'It does not belong to the current step. Nothing has been changed.',
    },
  },
  idp_access_denied: {
    status: 403,
    title: 'Access denied',
    meaning:
      'The identity provider did not sign the user in: the sign-in was cancelled, or the user may not use this application.',
    remedy: 'Sign in again, or ask an administrator.',
    page: {
      title: 'You were not signed in',
      text: 'The identity provider says that the sign-in was cancelled, or that you may not use this application. If you did not cancel, ask your administrator.',
      ways: ['sign_in'],
    },
  },
  idempotency_not_supported: {
    status: 400,
    title: 'Idempotency-Key not supported',
    meaning:
      'The operation needs no Idempotency-Key: it changes nothing, or its session makes it safe to repeat.',
    remedy: 'Send the request without Idempotency-Key.',
  },
  consent_denied: {
    status: 403,
    title: 'Application denied',
    meaning: 'The user has denied this application permission to act for them in the organization.',
    remedy: 'The user can allow it again with another application, or by signing in on the onboarding pages.',
    detail:
      'You have denied this application permission to act for you. Allow it with another application, or sign in on the onboarding pages.',
  },
  invitation_wrong_account: {
    status: 403,
    title: 'Wrong account',
    meaning:
      'The invitation is for another address than that of the account, or the identity provider does not report the address as verified.',
    remedy: 'Sign in with the account of the invited address.',
    invitationPage: {
      title: 'This invitation is for another account',
      text: 'Only an account with the invited e-mail address can accept it, and your identity provider must report that address as verified. Sign in with the account of the invited address, or ask for an invitation to the address that you use here.',
      ways: ['other_account'],
    },
  },
  member_limit_reached: {
    status: 403,
    title: 'Too many members',
    meaning:
      'The organization has reached its maximum number of members, including those who were deactivated, denied or removed.',
    remedy: 'The limit is fixed. Add further people to another organization.',
    invitationPage: {
      title: 'The organization is full',
      text: 'It has reached its maximum number of members. Ask the person who invited you what to do; the invitation stays open.',
      ways: ['onward'],
    },
  },
  membership_deactivated: {
    status: 403,
    title: 'Membership deactivated',
    meaning: 'An administrator has deactivated the membership of the user.',
    remedy: 'An administrator of the organization can reinstate it.',
    page: {
      title: 'Your membership is deactivated',
      text: 'An administrator of the organization can reinstate it.',
      ways: ['sign_in'],
    },
    invitationPage: {
      title: 'Your membership is deactivated',
      text: 'It was deactivated after this invitation was sent. An administrator of the organization can reinstate it.',
      ways: [],
    },
    detail: 'An administrator has deactivated your membership.',
  },
  membership_required: {
    status: 403,
    title: 'Membership required',
    meaning: 'The user is not a member, and their token has no role that would make them one.',
    remedy: 'Ask an administrator for a role in the organization.',
  },
  membership_revoked: {
    status: 403,
    title: 'Membership revoked',
    meaning: 'The user is no longer a member of the organization.',
    remedy: 'An administrator of the organization can reinstate the user.',
    page: {
      title: 'You are no longer a member',
      text: 'Your membership of this organization has ended. An administrator of the organization can reinstate you.',
      ways: ['sign_in'],
    },
    invitationPage: {
      title: 'You are no longer a member of this organization',
      text: 'Your membership was ended after this invitation was sent. To join again, ask the person who invited you for a new link.',
      ways: [],
    },
    detail: 'You are no longer a member of this organization.',
  },
  organization_id_required: {
    status: 403,
    title: 'Organization required',
    meaning: 'The operation concerns an organization, and the token names none.',
    remedy: 'Request a token that has organization_id.',
  },
  organization_ambiguous: {
    status: 403,
    title: 'Organization ambiguous',
    meaning: 'The token names several organizations, so it is not clear for which of them the caller acts.',
    remedy:
      'Request a token for one organization. If the identity provider cannot do that, its administrator must put only one of them into the claim.',
    detail: 'The token names several organizations. Sign in for one of them.',
    page: {
      title: 'Your sign-in names several organizations',
      text: 'Choose one organization when you sign in, or ask an administrator which account to use.',
      ways: ['other_account'],
    },
  },
  organization_deleted: {
    status: 403,
    title: 'Organization deleted',
    meaning: 'The organization is deleted. It can be restored until purge_at; null: it was purged.',
    remedy: 'Ask an owner to restore it. After it was purged, ask the operator.',
    page: {
      title: 'Your organization is deleted',
      text: 'Nobody can work with it. An owner can restore it for 30 days after its deletion.',
      ways: ['sign_in'],
    },
  },
  organization_suspended: {
    status: 403,
    title: 'Organization suspended',
    meaning: 'The organization is suspended: nobody can work with it, and its agents cannot call tools.',
    remedy: 'An owner can reactivate it, unless the operator of the service has suspended it.',
    detail: 'An owner can reactivate it, unless the operator of the service has suspended it.',
    page: {
      title: 'Your organization is suspended',
      text: 'Nobody can work with it at the moment. An owner can reactivate it, unless the operator of the service has suspended it.',
      ways: ['sign_in'],
    },
  },
  suspended_by_operator: {
    status: 403,
    title: 'Suspended by the operator',
    meaning: 'The operator of the service has suspended the organization.',
    remedy: 'Ask the operator to reactivate it.',
  },
  role_managed: {
    status: 409,
    title: 'Role managed elsewhere',
    meaning: 'The identity provider decides the roles of this organization.',
    remedy: 'Change the role at the identity provider, or set role_source of the organization to local.',
  },
  role_escalation: {
    status: 403,
    title: 'Role escalation',
    meaning:
      'Only an owner may appoint, change or remove an owner, and nobody can give a machine rights that they, or their token, do not have.',
    remedy: 'Ask an owner, or grant fewer rights.',
  },
  service_account_disabled: {
    status: 403,
    title: 'Service account disabled',
    meaning: 'An administrator has disabled the service account, and with it all of its credentials.',
    remedy: 'Ask an administrator to set its status to active.',
  },
  service_account_unknown: {
    status: 403,
    title: 'Service account unknown',
    meaning:
      'The token belongs to a machine for which no service account is registered. subject names the machine.',
    remedy: 'Ask an administrator to register it: PUT /service-accounts/{id}/client with this subject.',
  },
  transaction_mismatch: {
    status: 403,
    title: 'Forbidden',
    meaning: 'The transaction token is valid, but for another operation, resource or caller.',
    remedy: 'Get a token for exactly this operation.',
  },
  transaction_used: {
    status: 403,
    title: 'Forbidden',
    meaning: 'The transaction token has been used already; each is valid once.',
    remedy: 'Get a new token for each operation.',
  },
  agent_client_not_found: {
    status: 404,
    title: 'Client not found',
    meaning: 'No agent has this registered client. Only the hub receives this code.',
    remedy: 'Register the client again.',
  },
  invitation_not_found: {
    status: 404,
    title: 'Invitation not found',
    meaning:
      'The link belongs to no open invitation: it is mistyped, used, revoked or expired. Only the invited person can see which.',
    remedy: 'Ask the person who invited you for a new link.',
    page: {
      title: 'Invitation not found',
      text: 'The link is mistyped, or it can no longer be used. Ask the person who invited you for a new one.',
    },
    invitationPage: {
      title: 'Invitation not found',
      text: 'The link is mistyped, or it can no longer be used. If you are the invited person, sign in to learn why, or ask for a new link.',
      ways: ['sign_in'],
    },
  },
  onboarding_session_not_found: {
    status: 404,
    title: 'Onboarding session not found',
    meaning: 'The user has no such onboarding session.',
    remedy: 'Sign in again.',
    page: {
      title: 'This sign-in was not found',
      text: 'It has ended, or you started it in another browser. Sign in again to continue.',
      ways: ['sign_in'],
    },
  },
  organization_not_found: {
    status: 404,
    title: 'Organization not found',
    meaning: 'The organization does not exist, or no longer exists.',
    remedy: 'Compare the id with the one in the token of a user.',
  },
  unsupported_version: {
    status: 404,
    title: 'Unsupported API version',
    meaning: 'The API does not exist in this version.',
    remedy: 'Use the version that detail names, or a path without a version.',
  },
  not_acceptable: {
    status: 406,
    title: 'Not acceptable',
    meaning:
      'The Accept header allows neither application/json nor application/problem+json. Nothing was done.',
    remedy: 'Accept one of these types.',
  },
  agent_in_use: {
    status: 409,
    title: 'Agent in use',
    meaning: 'Sites use the agent that is to be deleted. sites lists the first 20 of them.',
    remedy: 'Remove the agent from them, or send force=true.',
  },
  client_already_confirmed: {
    status: 409,
    title: 'Client already confirmed',
    meaning:
      'The client has confirmed that it belongs to another organization, and a client can belong to one only.',
    remedy: 'Use another client, or have the other organization remove it.',
  },
  client_already_registered: {
    status: 409,
    title: 'Client already registered',
    meaning: 'Another service account of the organization has this client.',
    remedy: 'Use another client, or remove it from the other service account.',
  },
  client_is_member: {
    status: 409,
    title: 'Client is a member',
    meaning: 'The subject belongs to a member, who must not become a machine.',
    remedy: 'If it really is a client, remove the member first, then register the client.',
  },
  confirmation_mismatch: {
    status: 409,
    title: 'Confirmation does not match',
    meaning: 'confirm is not the name of the organization that is to be deleted. Nothing was done.',
    remedy: 'Send the name exactly as it is.',
  },
  client_unknown: {
    status: 409,
    title: 'Application unknown',
    meaning: 'The token does not name the application that it was issued to, and the decision needs it.',
    remedy:
      'Use an application whose tokens have client_id, azp, cid or appid, or sign in on the onboarding pages.',
  },
  domain_already_added: {
    status: 409,
    title: 'Domain already added',
    meaning: 'The organization has this domain already.',
    remedy: 'Use the existing one.',
  },
  domain_verified_elsewhere: {
    status: 409,
    title: 'Domain verified elsewhere',
    meaning: 'Another organization has proved that it owns this domain.',
    remedy: 'Remove it there first.',
  },
  idempotency_in_progress: {
    status: 409,
    title: 'Request in progress',
    meaning: 'A request with this Idempotency-Key is still being processed.',
    remedy: 'Try again after Retry-After, with the same key.',
  },
  already_member: {
    status: 409,
    title: 'Already a member',
    meaning: 'An active member of the organization has this address.',
    remedy: 'To give this person another role, change the member.',
  },
  invitation_closed: {
    status: 409,
    title: 'Invitation closed',
    meaning: 'The invitation was accepted, declined or revoked, has expired, or is being accepted.',
    remedy: 'Invite the person again.',
    invitationPage: {
      title: 'This invitation is no longer open',
      text: 'It was accepted, declined or revoked, or has expired. Ask the person who invited you for a new one.',
      ways: [],
    },
  },
  invitation_pending: {
    status: 409,
    title: 'Invitation pending',
    meaning: 'The address already has an open invitation, which id names.',
    remedy: 'Create a new link for that invitation, or revoke it first.',
  },
  last_owner: {
    status: 409,
    title: 'Last owner',
    meaning:
      'The organization would have no owner. active_members is the number of members who could become one.',
    remedy: 'Make another active member an owner, invite somebody as an owner, or delete the organization.',
  },
  member_of_another_organization: {
    status: 409,
    title: 'Member of another organization',
    meaning: 'The user belongs to another organization, and a token can name only one. Nothing was changed.',
    remedy: 'Leave that organization with POST /me/leave, or ask for an invitation to another address.',
    invitationPage: {
      title: 'You belong to another organization',
      text: 'You can belong to one organization only, since your sign-in names just one. Nothing has been changed. Leave the other organization first, or ask for an invitation to another e-mail address of yours.',
      ways: ['other_account'],
    },
  },
  key_revoked: {
    status: 409,
    title: 'API key revoked',
    meaning: 'The API key was revoked or has expired, so it cannot be rotated.',
    remedy: 'Create a new key.',
  },
  own_membership: {
    status: 409,
    title: 'Own membership',
    meaning: 'Administrators cannot end their own membership with this operation.',
    remedy: 'To leave the organization, send POST /me/leave.',
  },
  onboarding_in_progress: {
    status: 409,
    title: 'Conflict',
    meaning: 'Another request of this session is creating the organization.',
    remedy: 'Try again after Retry-After.',
    page: {
      title: 'Your organization is being created',
      text: 'You asked for it in another tab. Wait a few seconds, then look there.',
    },
  },
  onboarding_session_conflict: {
    status: 409,
    title: 'Conflict',
    meaning: 'An earlier request of this session asked for an organization with another name.',
    remedy: 'Continue with that organization, or sign in again.',
    page: {
      title: 'You asked for another name before',
      text: 'During this sign-in you have already asked for an organization with another name, perhaps in another tab. Continue with that one, or sign in again to choose another.',
      ways: ['onward', 'sign_in'],
    },
  },
  onboarding_session_used: {
    status: 409,
    title: 'Conflict',
    meaning: 'The session has ended: the decision is saved.',
    remedy: 'To change the decision, sign in again.',
    page: {
      title: 'This sign-in has been completed',
      text: 'Your decision is saved and cannot be changed on this page. To change it, sign in again.',
      ways: ['onward', 'sign_in'],
    },
  },
  onboarding_signed_in_again: {
    status: 409,
    title: 'Signed in again',
    meaning: 'The form belongs to an earlier sign-in of this browser.',
    remedy: 'Use the form of the latest sign-in.',
    page: {
      title: 'You have signed in again',
      text: 'You have signed in again in another tab of this browser, so this form is out of date. Nothing has been changed.',
    },
  },
  organization_exists: {
    status: 409,
    title: 'Conflict',
    meaning: 'The user already has an organization, so none was created.',
    remedy:
      'Sign in again for a token that names it. If the new token does not, ask an administrator of the identity provider to assign the user to it.',
    page: {
      title: 'You already have an organization',
      text: 'No second one was created. Sign in again to continue with your organization. If that leads back to this page, your identity provider no longer assigns you to it: ask an administrator of the identity provider to assign you again.',
      ways: ['sign_in'],
    },
  },
  organization_link_refused: {
    status: 409,
    title: 'Organization not linked',
    meaning: 'The user has an organization, but the identity provider refuses to add the user to it.',
    remedy: 'Ask the administrator of the identity provider.',
    page: {
      title: 'Your identity provider does not let you in',
      text: 'You have an organization, but your identity provider no longer assigns you to it, and we could not change that. Ask an administrator of the identity provider.',
      ways: ['sign_in'],
    },
    invitationPage: {
      title: 'Your identity provider does not let you in',
      text: 'It refuses to add you to the organization. Ask an administrator of the identity provider. The invitation stays open.',
      ways: ['onward'],
    },
  },
  origin_limit_reached: {
    status: 409,
    title: 'Too many origins',
    meaning: 'The site has reached its maximum number of origins, including those with a time limit.',
    remedy: 'Remove an origin first.',
  },
  quota_exceeded: {
    status: 409,
    title: 'Quota exceeded',
    meaning:
      'The organization has reached the maximum of this kind (limit), or twice that number with deleted ones included.',
    remedy: 'Delete or purge some. A deleted one counts until it is purged.',
  },
  resource_already_registered: {
    status: 409,
    title: 'Resource already registered',
    meaning:
      'The organization has another connector for this resource_url; connector names it to callers who may read connectors.',
    remedy: 'Use that connector, or change it.',
  },
  audience_refused: {
    status: 409,
    title: 'Audience refused',
    meaning:
      'Tokens of this audience would be for the identity provider, one of its own services, the hub or this API: no tool server may have them.',
    remedy: 'Register an API for the tool server at the identity provider, and use its audience.',
  },
  audience_in_use: {
    status: 409,
    title: 'Audience in use',
    meaning:
      'Another connector of the organization, at another origin, has this audience: each could use the tokens of the other.',
    remedy: 'Register an API of its own for each tool server at the identity provider.',
  },
  client_bound: {
    status: 409,
    title: 'Client bound',
    meaning:
      'The MCP client already acts as an agent of this organization, perhaps a deleted one that is not purged yet.',
    remedy: 'Remove it from that agent first.',
  },
  slug_taken: {
    status: 409,
    title: 'Slug taken',
    meaning:
      'Another connector of the organization has this slug. Deleted connectors keep their slug until they are purged.',
    remedy: 'Choose another slug, leave it out, or purge the deleted connector.',
  },
  resource_changed: {
    status: 409,
    title: 'Resource changed',
    meaning: 'The connector was changed during the check.',
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
    meaning: 'The connector has no fallback to approve.',
    remedy: 'If another method may replace id-jag, set fallback first.',
  },
  secret_required: {
    status: 409,
    title: 'Secret required',
    meaning: 'An enabled connector must keep its secret.',
    remedy: 'Send enabled: false first, or a new secret.',
  },
  tool_hub_not_configured: {
    status: 409,
    title: 'Tool hub not configured',
    meaning: 'This deployment has no tool hub that could end tokens or sessions.',
    remedy: 'Ask the operator.',
  },
  onboarding_session_expired: {
    status: 410,
    title: 'Onboarding session expired',
    meaning: 'The onboarding session has expired. Completed steps are kept.',
    remedy: 'Sign in again to continue.',
    page: {
      title: 'Your sign-in has expired',
      text: 'For your safety the sign-in expires after 10 minutes without activity, and after 30 minutes in any case. Completed steps are kept: sign in again to continue.',
      ways: ['sign_in'],
    },
  },
  version_mismatch: {
    status: 412,
    title: 'Version mismatch',
    meaning:
      'The resource was changed since it was read, or exists although If-None-Match forbids it. Nothing was done.',
    remedy: 'Read the resource again, and send its new ETag as If-Match.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'Idempotency-Key reused',
    meaning: 'This Idempotency-Key was used for another request in the last 24 hours.',
    remedy: 'Send a new key with each new request.',
  },
  rate_limit_exceeded: {
    status: 429,
    title: 'Rate limit exceeded',
    meaning:
      'The caller sent more requests in a minute than the plan of the organization, the share of one user in it, or another limit allows.',
    remedy: 'Retry after Retry-After. X-RateLimit-Remaining shows how many requests are left.',
    page: {
      title: 'Too many attempts',
      text: 'For your safety, the number of attempts is limited. Wait a few minutes, then try again.',
    },
  },
  concurrency_exceeded: {
    status: 429,
    title: 'Too many concurrent requests',
    meaning:
      'The organization has as many running and waiting requests as it may have at a time, or this request has waited too long.',
    remedy: 'Send fewer requests at the same time, and try again after Retry-After.',
  },
  idp_error: {
    status: 502,
    title: 'Identity provider error',
    meaning: 'The identity provider returned an invalid response.',
    remedy: 'Try again; if it happens again, send the operator the request_id.',
    page: {
      title: 'The identity provider returned an error',
      text: 'This is not your fault. Try again; if it happens again, send your administrator the error code below.',
    },
  },
  resource_unreachable: {
    status: 502,
    title: 'Resource unreachable',
    meaning: 'The tool server cannot be reached, or its address is not allowed.',
    remedy: 'Compare resource_url with the address of the tool server.',
  },
  tool_hub_error: {
    status: 502,
    title: 'Tool hub error',
    meaning: 'The tool hub refused a revocation. Only the operator can fix this.',
    remedy: 'Send the operator the request_id.',
  },
  secrets_unavailable: {
    status: 503,
    title: 'Secrets cannot be stored',
    meaning: 'This deployment has no encryption keys for secrets.',
    remedy: 'Ask the operator to set CONNECTOR_ENCRYPTION_KEYS.',
  },
  service_unavailable: {
    status: 503,
    title: 'Service unavailable',
    meaning: 'A service that the request needs, such as the database, does not respond at the moment.',
    remedy: 'Try again after Retry-After.',
    page: {
      title: 'The service is not available at the moment',
      text: 'This is not your fault, and nothing is lost. Wait a few seconds, then try again.',
    },
  },
  tool_hub_unavailable: {
    status: 503,
    title: 'Tool hub unavailable',
    meaning: 'The tool hub does not respond at the moment.',
    remedy: 'Try again after Retry-After.',
  },
} as const satisfies Readonly<Record<string, Refusal>>;

export const problem = problemsOf(PROBLEMS);

export const NO_PAGE_TEXT: PageText = {
  title: 'The request failed',
  text: 'The request could not be processed. Nothing has been changed.',
};
