import type { Problem } from '@legate/service';
import { problem } from '../../domain/problem-codes.ts';

/** Where a page about a fault leads. */
export type WayOn = 'sign_in' | 'other_account' | 'onward';

export interface Fault {
  readonly title: string;
  readonly text: string;
  /** The first one is the best. Default: onward */
  readonly ways?: readonly WayOn[];
  /** True if an invitation is what stands in the way */
  readonly ofInvitation?: boolean;
}

/** These are met in a browser only. For a form of a session that is no longer the one of this browser. */
export const anotherSignIn = (): Problem => problem('onboarding_signed_in_again');
export const accessDenied = (): Problem => problem('idp_access_denied');
export const otherSite = (): Problem => problem('cross_site_request');
export const notAForm = (): Problem =>
  problem('unsupported_media_type', {
    headers: { Accept: 'application/x-www-form-urlencoded' },
  });

const NOTHING_CHANGED = 'Nothing has been changed.';

/** While the browser has an invitation's cookie */
const OF_INVITATION: Readonly<Record<string, Fault>> = {
  invitation_not_found: {
    title: 'There is no such invitation',
    text: 'The link is mistyped, or it can no longer be used. If you are the invited person, sign in to learn why, or ask for a new link.',
    ways: ['sign_in'],
  },
  invitation_wrong_account: {
    title: 'This invitation is for another account',
    text: 'It can be accepted with the invited e-mail address only, and your identity provider must say that the address is verified. You are signed in with another address, or it does not say so. Sign in with the account of the invited address, or ask for an invitation to the address that you have.',
    ways: ['other_account'],
  },
  invitation_closed: {
    title: 'This invitation is over',
    text: 'It was accepted, declined or revoked, or its time is over. Ask the person who invited you for a new one.',
    ways: [],
  },
  member_of_another_organization: {
    title: 'You belong to another organization',
    text: 'Your sign-in names one organization, so you can belong to one only. Nothing has been changed. Leave that one first, or ask for an invitation to another e-mail address of yours.',
    ways: ['other_account'],
  },
  membership_revoked: {
    title: 'You are kept out of this organization',
    text: 'Your membership was ended after this invitation was sent. If you should be let in again, ask the person who invited you for a new link.',
    ways: [],
  },
  membership_deactivated: {
    title: 'Your membership is deactivated',
    text: 'It was deactivated after this invitation was sent. Ask an administrator of the organization.',
    ways: [],
  },
  member_limit_reached: {
    title: 'The organization is full',
    text: 'It has as many members as it may have. Ask the person who invited you. The invitation stays open.',
    ways: ['onward'],
  },
  organization_link_refused: {
    title: 'Your identity provider does not let you in',
    text: 'It refuses to add you to the organization. Ask its administrator. The invitation stays open.',
    ways: ['onward'],
  },
};

const FAULTS: Readonly<Record<string, Fault>> = {
  onboarding_session_expired: {
    title: 'Your sign-in has expired',
    text: 'For your safety the sign-in expires after 10 minutes without activity, and after 30 minutes in any case. Completed steps are kept: sign in again to continue.',
    ways: ['sign_in'],
  },
  onboarding_session_used: {
    title: 'This has been completed',
    text: 'Your decision is saved and cannot be changed on this page. Sign in again to decide again.',
    ways: ['onward', 'sign_in'],
  },
  onboarding_session_not_found: {
    title: 'This sign-in is not known',
    text: 'It ended a while ago, or was started in another browser. Sign in again to continue.',
    ways: ['sign_in'],
  },
  onboarding_session_conflict: {
    title: 'You asked for something else before',
    text: 'During this sign-in you have already asked for an organization with another name, perhaps in another tab. Continue with that one, or sign in again to choose another.',
    ways: ['onward', 'sign_in'],
  },
  onboarding_signed_in_again: {
    title: 'You have signed in again',
    text: `You have signed in again in another tab of this browser, so this form is out of date. ${NOTHING_CHANGED}`,
  },
  onboarding_in_progress: {
    title: 'Your organization is being created',
    text: 'You have asked for it in another tab. Wait a few seconds, then look there.',
  },
  organization_suspended: {
    title: 'Your organization is suspended',
    text: 'Nobody can work with it at the moment. An owner can reactivate it.',
    ways: ['sign_in'],
  },
  organization_deleted: {
    title: 'Your organization is deleted',
    text: 'Nobody can work with it. For 30 days an owner can restore it.',
    ways: ['sign_in'],
  },
  invitation_not_found: {
    title: 'There is no such invitation',
    text: 'The link is mistyped, or it can no longer be used. Ask the person who invited you for a new one.',
  },
  membership_revoked: {
    title: 'You are no longer a member',
    text: 'Your membership of this organization has ended. Ask its owner if that is not right.',
    ways: ['sign_in'],
  },
  organization_exists: {
    title: 'You have an organization',
    text: 'No second one was created. Sign in again to continue with your organization. If that leads back here, your identity provider no longer names it: ask an administrator of the identity provider to assign you to it again.',
    ways: ['sign_in'],
  },
  organization_link_refused: {
    title: 'Your identity provider does not let you in',
    text: 'You have an organization, but your identity provider no longer names it, and we could not change that. Ask its administrator.',
    ways: ['sign_in'],
  },
  csrf_token_invalid: {
    title: 'This form is out of date',
    text: `It is not the one that we gave you for this step. ${NOTHING_CHANGED}`,
  },
  cross_site_request: {
    title: 'This was sent by another website',
    text: `We only take forms from our own pages. ${NOTHING_CHANGED}`,
  },
  idp_access_denied: {
    title: 'You were not signed in',
    text: 'The identity provider says that the sign-in was cancelled, or that you may not use this application. If you did not cancel, ask your administrator.',
    ways: ['sign_in'],
  },
  oauth_state_invalid: {
    title: 'This sign-in cannot continue',
    text: 'It was started in another tab or browser, too long ago, or has been completed already.',
    ways: ['onward', 'sign_in'],
  },
  idp_unavailable: {
    title: 'The identity provider does not answer',
    text: 'That is not your fault, and nothing is lost. Wait a few seconds, then try again.',
  },
  idp_error: {
    title: 'The identity provider gave a wrong answer',
    text: 'That is not your fault. Try again; if it stays like this, tell your administrator the code below.',
  },
  service_unavailable: {
    title: 'We cannot answer at the moment',
    text: 'That is not your fault, and nothing is lost. Wait a few seconds, then try again.',
  },
  rate_limit_exceeded: {
    title: 'Too many attempts',
    text: 'For your safety there is a limit. Wait a few minutes, then try again.',
  },
  not_found: { title: 'There is no such page', text: 'The address may be mistyped.' },
  validation_failed: {
    title: 'This cannot be read',
    text: `The form or the address is not one of ours, or is incomplete. ${NOTHING_CHANGED}`,
  },
  internal_error: {
    title: 'Something went wrong on our side',
    text: 'It has been recorded. Try again; if it stays like this, tell your administrator the request below.',
  },
};

const UNKNOWN: Fault = {
  title: 'This did not work',
  text: `The request could not be answered. ${NOTHING_CHANGED}`,
};

/** @param hasInvitation true if the browser has opened the link of an invitation */
export function faultOf(code: string, hasInvitation = false): Fault {
  const ofInvitation = hasInvitation ? OF_INVITATION[code] : undefined;
  return ofInvitation ? { ...ofInvitation, ofInvitation: true } : (FAULTS[code] ?? UNKNOWN);
}
