import type { Problem } from '@legate/service';
import {
  NO_PAGE_TEXT,
  type PageText,
  PROBLEMS,
  problem,
  type Refusal,
} from '../../../domain/problem-codes.ts';

/**
 * Refuses a form whose session is no longer that of this browser. This problem and the next ones occur in browsers
 * only.
 */
export const anotherSignIn = (): Problem => problem('onboarding_signed_in_again');
export const accessDenied = (): Problem => problem('idp_access_denied');
export const otherSite = (): Problem => problem('cross_site_request');
export const notAForm = (): Problem =>
  problem('unsupported_media_type', {
    headers: { Accept: 'application/x-www-form-urlencoded' },
  });

export interface Fault extends PageText {
  /** True if an invitation prevents the step */
  readonly ofInvitation?: boolean;
}

/** @param hasInvitation true if the browser has opened the link of an invitation */
export function faultOf(code: string, hasInvitation = false): Fault {
  const refusals: Readonly<Record<string, Refusal>> = PROBLEMS;
  const { page, invitationPage } = (Object.hasOwn(refusals, code) && refusals[code]) || {};
  return hasInvitation && invitationPage ? { ...invitationPage, ofInvitation: true } : (page ?? NO_PAGE_TEXT);
}
