import { type ProblemDeclaration, problemsOf, VALIDATION_PROBLEMS } from '@legate/service';
import { WORKLOAD_PROBLEMS } from '@legate/workload';

/** Where a page about a problem leads */
export type WayOn = 'sign_in' | 'other_account' | 'onward';

/** What a person reads in a browser */
export interface PageText {
  readonly title: string;
  readonly text: string;
  /** The first one is the best. Default: onward */
  readonly ways?: readonly WayOn[];
}

/** All texts of a refusal */
export interface Refusal extends ProblemDeclaration {
  /** Undefined: it is not met in a browser, and `NO_PAGE_TEXT` is shown */
  readonly page?: PageText;
  /** The page while the browser has opened the link of an invitation, which stands in the way */
  readonly invitationPage?: PageText;
}

/** All problems that the API, and its sign-in pages, may return. */
export const PROBLEMS = {
  ...WORKLOAD_PROBLEMS,
  ...VALIDATION_PROBLEMS,
  idp_unavailable: {
    ...WORKLOAD_PROBLEMS.idp_unavailable,
    page: {
      title: 'The identity provider does not answer',
      text: 'That is not your fault, and nothing is lost. Wait a few seconds, then try again.',
    },
  },
  not_found: {
    ...WORKLOAD_PROBLEMS.not_found,
    page: { title: 'There is no such page', text: 'The address may be mistyped.' },
  },
  validation_failed: {
    ...VALIDATION_PROBLEMS.validation_failed,
    page: {
      title: 'This cannot be read',
      text: 'The form or the address is not one of ours, or is incomplete. Nothing has been changed.',
    },
  },
  internal_error: {
    ...WORKLOAD_PROBLEMS.internal_error,
    page: {
      title: 'Something went wrong on our side',
      text: 'It has been recorded. Try again; if it stays like this, tell your administrator the request below.',
    },
  },
  unknown_parameter: {
    status: 400,
    title: 'Request validation failed',
    meaning: 'The query has a parameter that is not known here. errors names it.',
    remedy: 'Leave it out: it may be mistyped.',
  },
  cursor_invalid: {
    status: 400,
    title: 'Cursor invalid',
    meaning:
      'The cursor, or the event in after, is none of this list: its filters, its order or its reader changed, or the event is gone.',
    remedy: 'Begin again without it.',
  },
  not_permitted: {
    status: 400,
    title: 'Filter not permitted',
    meaning: 'The role of the caller does not show what the filter asks about. detail names it.',
    remedy: 'Leave it out, or ask an administrator.',
  },
  oauth_state_invalid: {
    status: 400,
    title: 'Sign-in cannot be continued',
    meaning: 'The sign-in was started in another browser, too long ago, or has been completed.',
    remedy: 'Sign in again.',
    page: {
      title: 'This sign-in cannot continue',
      text: 'It was started in another tab or browser, too long ago, or has been completed already.',
      ways: ['onward', 'sign_in'],
    },
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
  address_not_allowed: {
    status: 403,
    title: 'Address not allowed',
    meaning: 'The API key may be used from other addresses only.',
    remedy: 'Send the request from an allowed network, or make a key with this one in allowed_ips.',
  },
  cross_site_request: {
    status: 403,
    title: 'Sent by another site',
    meaning: 'The form was sent by a page of another site.',
    remedy: 'Use the form of this service.',
    page: {
      title: 'This was sent by another website',
      text: 'We only take forms from our own pages. Nothing has been changed.',
    },
  },
  csrf_token_invalid: {
    status: 403,
    title: 'CSRF token invalid',
    meaning: 'The csrfToken is not the one that was given for this step.',
    remedy: 'Read the session again and send its csrfToken.',
    page: {
      title: 'This form is out of date',
      text: 'It is not the one that we gave you for this step. Nothing has been changed.',
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
    meaning: 'The request has no effect that a key could protect, or is protected by its session.',
    remedy: 'Send it without Idempotency-Key.',
  },
  consent_denied: {
    status: 403,
    title: 'Application denied',
    meaning: 'The user has denied this application to act for them in the organization.',
    remedy: 'The user can allow it with another application, or by signing in at the onboarding pages.',
    detail:
      'You have denied this application to act for you. Another application, or a new sign-in, can allow it.',
  },
  invitation_wrong_account: {
    status: 403,
    title: 'Wrong account',
    meaning:
      'The invitation is for another address than that of the account, or the identity provider does not say that the address is verified.',
    remedy: 'Sign in with the account of the invited address.',
    invitationPage: {
      title: 'This invitation is for another account',
      text: 'It can be accepted with the invited e-mail address only, and your identity provider must say that the address is verified. You are signed in with another address, or it does not say so. Sign in with the account of the invited address, or ask for an invitation to the address that you have.',
      ways: ['other_account'],
    },
  },
  member_limit_reached: {
    status: 403,
    title: 'Too many members',
    meaning: 'The organization has as many members as it may have, those who are kept out included.',
    remedy: 'The limit is fixed. Put further people into another organization.',
    invitationPage: {
      title: 'The organization is full',
      text: 'It has as many members as it may have. Ask the person who invited you. The invitation stays open.',
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
    meaning: 'The user is no member, and their token has no role that would make them one.',
    remedy: 'Ask an administrator for a role in the organization.',
  },
  membership_revoked: {
    status: 403,
    title: 'Membership revoked',
    meaning: 'The user is no longer a member of the organization.',
    remedy: 'An administrator of the organization can let the user in again.',
    page: {
      title: 'You are no longer a member',
      text: 'Your membership of this organization has ended. An administrator of the organization can let you in again.',
      ways: ['sign_in'],
    },
    invitationPage: {
      title: 'You are kept out of this organization',
      text: 'Your membership was ended after this invitation was sent. If you should be let in again, ask the person who invited you for a new link.',
      ways: [],
    },
    detail: 'You are no longer a member of this organization.',
  },
  organization_id_required: {
    status: 403,
    title: 'Organization required',
    meaning: 'The token names no organization, and this concerns one.',
    remedy: 'Request a token for an organization.',
  },
  organization_deleted: {
    status: 403,
    title: 'Organization deleted',
    meaning: 'The organization is deleted. purge_at says until when it can be restored; null: it is gone.',
    remedy: 'Ask an owner to restore it. Once it is gone, ask the operator.',
    page: {
      title: 'Your organization is deleted',
      text: 'Nobody can work with it. For 30 days an owner can restore it.',
      ways: ['sign_in'],
    },
  },
  organization_suspended: {
    status: 403,
    title: 'Organization suspended',
    meaning: 'The organization is suspended: nobody can work with it, and its agents can call no tool.',
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
    remedy: 'Change the role there, or set role_source of the organization to local.',
  },
  role_escalation: {
    status: 403,
    title: 'Role escalation',
    meaning:
      'Only an owner may make, change or remove an owner, and nobody gives a machine rights that they, or their token, do not have.',
    remedy: 'Ask an owner, or give fewer rights.',
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
    meaning: 'The token is that of a machine, and no service account is registered for it. subject names it.',
    remedy: 'Ask an administrator to register it: PUT /service-accounts/{id}/client with this subject.',
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
  agent_client_not_found: {
    status: 404,
    title: 'Client not found',
    meaning: 'No agent has this registered client. Only the hub asks.',
    remedy: 'Register the client anew.',
  },
  invitation_not_found: {
    status: 404,
    title: 'Invitation not found',
    meaning:
      'The link is of no open invitation: mistyped, used, revoked or expired. Only the invited person learns which.',
    remedy: 'Ask the person who invited you for a new link.',
    page: {
      title: 'There is no such invitation',
      text: 'The link is mistyped, or it can no longer be used. Ask the person who invited you for a new one.',
    },
    invitationPage: {
      title: 'There is no such invitation',
      text: 'The link is mistyped, or it can no longer be used. If you are the invited person, sign in to learn why, or ask for a new link.',
      ways: ['sign_in'],
    },
  },
  onboarding_session_not_found: {
    status: 404,
    title: 'Onboarding session not found',
    meaning: 'There is no such onboarding session of this user.',
    remedy: 'Sign in again.',
    page: {
      title: 'This sign-in is not known',
      text: 'It ended a while ago, or was started in another browser. Sign in again to continue.',
      ways: ['sign_in'],
    },
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
    meaning: 'Sites use the agent that is to be deleted. sites names the first 20 of them.',
    remedy: 'Remove it from them, or send force=true.',
  },
  client_already_confirmed: {
    status: 409,
    title: 'Client already confirmed',
    meaning:
      'The client has confirmed that it belongs to another organization, and its tokens can lead to one only.',
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
    meaning: 'The subject is that of a member, who must not be turned into a machine.',
    remedy: 'If it is the client all the same, remove the member first, then register the client.',
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
      'Use an application whose tokens have client_id, azp, cid or appid, or sign in at the onboarding pages.',
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
    meaning: 'Another organization has proved that this domain is its own.',
    remedy: 'Remove it there first.',
  },
  idempotency_in_progress: {
    status: 409,
    title: 'Request in progress',
    meaning: 'A request with this Idempotency-Key is being answered.',
    remedy: 'Try again after Retry-After, with the same key.',
  },
  already_member: {
    status: 409,
    title: 'Already a member',
    meaning: 'An active member of the organization has this address.',
    remedy: 'To give them another role, change the member.',
  },
  invitation_closed: {
    status: 409,
    title: 'Invitation closed',
    meaning:
      'The invitation was accepted, declined or revoked, its time is over, or somebody is accepting it.',
    remedy: 'Invite the person again.',
    invitationPage: {
      title: 'This invitation is over',
      text: 'It was accepted, declined or revoked, or its time is over. Ask the person who invited you for a new one.',
      ways: [],
    },
  },
  invitation_pending: {
    status: 409,
    title: 'Invitation pending',
    meaning: 'The address has an open invitation. id names it.',
    remedy: 'Send that one again, or revoke it first.',
  },
  last_owner: {
    status: 409,
    title: 'Last owner',
    meaning: 'The organization would have no owner. active_members says how many could become one.',
    remedy: 'Make another active member an owner, invite somebody as an owner, or delete the organization.',
  },
  member_of_another_organization: {
    status: 409,
    title: 'Member of another organization',
    meaning: 'The user belongs to another organization, and a token names one alone. Nothing was changed.',
    remedy: 'Leave that one with POST /me/leave, or be invited at another address.',
    invitationPage: {
      title: 'You belong to another organization',
      text: 'Your sign-in names one organization, so you can belong to one only. Nothing has been changed. Leave that one first, or ask for an invitation to another e-mail address of yours.',
      ways: ['other_account'],
    },
  },
  key_revoked: {
    status: 409,
    title: 'API key revoked',
    meaning: 'The API key was revoked, or its time is over, so it cannot be rotated.',
    remedy: 'Make a new one.',
  },
  own_membership: {
    status: 409,
    title: 'Own membership',
    meaning: 'Nobody ends their own membership as an administrator.',
    remedy: 'To leave the organization, send POST /me/leave.',
  },
  onboarding_in_progress: {
    status: 409,
    title: 'Conflict',
    meaning: 'The organization is being created, by another request of this session.',
    remedy: 'Try again after Retry-After.',
    page: {
      title: 'Your organization is being created',
      text: 'You have asked for it in another tab. Wait a few seconds, then look there.',
    },
  },
  onboarding_session_conflict: {
    status: 409,
    title: 'Conflict',
    meaning: 'An organization of another name was asked for in this session.',
    remedy: 'Continue with that one, or sign in again.',
    page: {
      title: 'You asked for something else before',
      text: 'During this sign-in you have already asked for an organization with another name, perhaps in another tab. Continue with that one, or sign in again to choose another.',
      ways: ['onward', 'sign_in'],
    },
  },
  onboarding_session_used: {
    status: 409,
    title: 'Conflict',
    meaning: 'The session has come to its end: the decision is saved.',
    remedy: 'Sign in again to decide again.',
    page: {
      title: 'This has been completed',
      text: 'Your decision is saved and cannot be changed on this page. Sign in again to decide again.',
      ways: ['onward', 'sign_in'],
    },
  },
  onboarding_signed_in_again: {
    status: 409,
    title: 'Signed in again',
    meaning: 'The form is of a sign-in that is no longer the one of this browser.',
    remedy: 'Use the form of the newer sign-in.',
    page: {
      title: 'You have signed in again',
      text: 'You have signed in again in another tab of this browser, so this form is out of date. Nothing has been changed.',
    },
  },
  organization_exists: {
    status: 409,
    title: 'Conflict',
    meaning: 'The user has an organization, so no other one was created.',
    remedy:
      'Sign in again for a token that names it; an administrator of the identity provider can have it named.',
    page: {
      title: 'You have an organization',
      text: 'No second one was created. Sign in again to continue with your organization. If that leads back here, your identity provider no longer names it: ask an administrator of the identity provider to assign you to it again.',
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
      text: 'You have an organization, but your identity provider no longer names it, and we could not change that. Ask its administrator.',
      ways: ['sign_in'],
    },
    invitationPage: {
      title: 'Your identity provider does not let you in',
      text: 'It refuses to add you to the organization. Ask its administrator. The invitation stays open.',
      ways: ['onward'],
    },
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
    meaning:
      'The organization has as many things of this kind as it may have (limit), or twice as many together with deleted ones.',
    remedy: 'Delete or purge some: a deleted one counts until it is purged.',
  },
  resource_already_registered: {
    status: 409,
    title: 'Resource already registered',
    meaning: 'The organization has another connector for this resource_url.',
    remedy: 'Change that one.',
  },
  client_bound: {
    status: 409,
    title: 'Client bound',
    meaning:
      'The MCP client is an agent of this organization already, perhaps one that is deleted and not purged.',
    remedy: 'Remove it from that agent first.',
  },
  slug_taken: {
    status: 409,
    title: 'Slug taken',
    meaning:
      'Another connector of the organization has this slug. Those count that are deleted and not purged.',
    remedy: 'Choose another one, or leave it out; or purge the deleted connector.',
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
    remedy: 'Set fallback first, if another method may replace id-jag.',
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
    meaning: 'The session has expired. Completed steps are kept.',
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
    meaning: 'It was changed since it was read, or is there although it must not be. Nothing was done.',
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
    meaning:
      'More requests came in a minute than the plan of the organization, the share of it that one of several users may have, or another limit allows.',
    remedy: 'Retry after Retry-After. X-RateLimit-Remaining shows how many requests are left.',
    page: {
      title: 'Too many attempts',
      text: 'For your safety there is a limit. Wait a few minutes, then try again.',
    },
  },
  concurrency_exceeded: {
    status: 429,
    title: 'Too many concurrent requests',
    meaning:
      'As many requests of the organization are being answered, and wait for it, as may be at a time, or one has waited too long.',
    remedy: 'Wait for an answer before the next request, and try again after Retry-After.',
  },
  idp_error: {
    status: 502,
    title: 'Identity provider error',
    meaning: 'The identity provider gave an answer that cannot be used.',
    remedy: 'Try again; if it stays like this, tell the operator the request_id.',
    page: {
      title: 'The identity provider gave a wrong answer',
      text: 'That is not your fault. Try again; if it stays like this, tell your administrator the code below.',
    },
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
    meaning: 'The tool hub refused a revocation. The operator must fix it.',
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
    page: {
      title: 'We cannot answer at the moment',
      text: 'That is not your fault, and nothing is lost. Wait a few seconds, then try again.',
    },
  },
  tool_hub_unavailable: {
    status: 503,
    title: 'Tool hub unavailable',
    meaning: 'The tool hub does not answer at the moment.',
    remedy: 'Try again after Retry-After.',
  },
} as const satisfies Readonly<Record<string, Refusal>>;

export const problem = problemsOf(PROBLEMS);

export const NO_PAGE_TEXT: PageText = {
  title: 'This did not work',
  text: 'The request could not be answered. Nothing has been changed.',
};
