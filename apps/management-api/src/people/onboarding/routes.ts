import type { ErrorRequestHandler } from 'express';
import { z } from 'zod';
import { ok, redirect } from '../../http/api/answer.ts';
import { type Operation, operation } from '../../http/api/operation.ts';
import { json } from '../../http/api/request-body.ts';
import { type Attempts, refuseUnseen } from './attempts.ts';
import type { BrowserSignIn } from './browser-sign-in.ts';
import { ConsentGiven, CreateOrganization, GiveConsent, OnboardingContext } from './onboarding.ts';
import type { Onboarding } from './service.ts';

const SignInQuery = z.strictObject({ return_to: z.string().optional() });
/**
 * The identity provider's response (RFC 6749 §4.1.2, RFC 9207), which may have more parameters; openid-client checks
 * all of it.
 */
const CallbackQuery = z.looseObject({
  state: z.unknown().optional().meta({ type: 'string' }),
  code: z.unknown().optional().meta({ type: 'string' }),
  iss: z.unknown().optional().meta({ type: 'string' }),
  error: z.unknown().optional().meta({ type: 'string' }),
});

/** Redirects a browser to the sign-in and handles its return, without authentication. */
export function signInOperations(deps: {
  browserSignIn: BrowserSignIn;
  /** Sends a refusal: a page to a person, a problem to a program */
  showProblem: ErrorRequestHandler;
}): Operation[] {
  const { browserSignIn, showProblem } = deps;
  return [
    operation('beginSignIn', 'get', '/oauth/sign-in', {
      tag: 'Onboarding',
      summary: 'Begin a sign-in',
      description: 'For browsers. `return_to` must be one of the configured pages.',
      access: 'public',
      query: SignInQuery,
      noStore: true,
      showProblem,
      guards: [refuseUnseen],
      responses: {
        302: { description: 'Redirects to the identity provider', headers: ['Location', 'Set-Cookie'] },
      },
      problems: {
        403: ['cross_site_request'],
        429: ['rate_limit_exceeded'],
        502: ['idp_error'],
        503: ['idp_unavailable'],
      },
      handle: async ({ query, req, res }) =>
        redirect(302, await browserSignIn.begin(req, res, query.return_to)),
    }),
    operation('completeSignIn', 'get', '/oauth/callback', {
      tag: 'Onboarding',
      summary: 'Return from the identity provider',
      description:
        'Redirects to the `return_to` page of the sign-in, with `session`, the id of a new onboarding session, or with `code=idp_access_denied`.',
      access: 'public',
      query: CallbackQuery,
      noStore: true,
      showProblem,
      responses: { 303: { description: 'Redirects to the page', headers: ['Location', 'Set-Cookie'] } },
      problems: {
        400: ['oauth_state_invalid'],
        403: ['organization_suspended'],
        409: ['organization_exists', 'organization_link_refused'],
        502: ['idp_error'],
        503: ['idp_unavailable', 'service_unavailable'],
      },
      handle: async ({ req, res }) => redirect(303, await browserSignIn.complete(req, res)),
    }),
  ];
}

/** The operations of a signed-in user on their onboarding session, with or without an organization. */
export function onboardingOperations(deps: {
  onboarding: Onboarding;
  attempts: Pick<Attempts, 'limitCreations'>;
}): Operation[] {
  const { onboarding, attempts } = deps;
  const ended = { 404: ['onboarding_session_not_found'], 410: ['onboarding_session_expired'] };
  return [
    operation('getOnboardingSession', 'get', '/oauth/session/{session_id}', {
      tag: 'Onboarding',
      summary: 'Get the state of an onboarding session',
      description: 'A token that is limited by scopes needs `org:read`.',
      access: 'any-token',
      isForPeople: true,
      tokenScope: 'org:read',
      noStore: true,
      responses: { 200: { description: 'The state, and the CSRF token', schema: OnboardingContext } },
      problems: { ...ended, 409: ['onboarding_session_used'] },
      handle: async ({ caller, params }) => ok(await onboarding.find(caller, params.session_id)),
    }),
    operation('createOrganization', 'post', '/oauth/create-org', {
      tag: 'Onboarding',
      summary: 'Create an organization',
      description:
        'Repeating the request creates no second organization. Afterwards, request a new token, which names the organization. A token that is limited by scopes needs `org:write`.',
      access: 'any-token',
      isForPeople: true,
      tokenScope: 'org:write',
      noStore: true,
      guards: [attempts.limitCreations],
      body: json(CreateOrganization),
      responses: {
        200: { description: 'The state, with the CSRF token of the consent', schema: OnboardingContext },
      },
      problems: {
        ...ended,
        403: ['csrf_token_invalid'],
        409: [
          'organization_exists',
          'onboarding_in_progress',
          'onboarding_session_conflict',
          'onboarding_session_used',
        ],
        502: ['idp_error'],
        503: ['idp_unavailable'],
      },
      handle: async ({ caller, body, authorIn }) =>
        ok(await onboarding.createOrganization(caller, body, authorIn)),
    }),
    operation('giveConsent', 'post', '/oauth/consent', {
      tag: 'Onboarding',
      summary: 'Give or deny consent',
      description:
        'Ends the onboarding session. The decision applies to the application to which the token was issued. If you deny it, its requests for you are refused from now on. A token that is limited by scopes needs `org:write`.',
      access: 'any-token',
      isForPeople: true,
      tokenScope: 'org:write',
      noStore: true,
      body: json(GiveConsent),
      responses: { 200: { description: 'Where to continue', schema: ConsentGiven } },
      problems: {
        ...ended,
        403: ['csrf_token_invalid'],
        409: [
          'client_unknown',
          'onboarding_in_progress',
          'onboarding_session_conflict',
          'onboarding_session_used',
          'quota_exceeded',
        ],
      },
      handle: async ({ caller, body, authorIn }) => ok(await onboarding.consent(caller, body, authorIn)),
    }),
  ];
}
