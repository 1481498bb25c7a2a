import type { OrganizationId } from '@legate/ids';
import type { CsrfTokens } from './csrf.ts';
import type { OnboardingContext } from './onboarding.ts';
import type { OnboardingSession } from './session.ts';
import { suggestOrganizationName } from './suggested-name.ts';

export interface OrganizationDetails {
  readonly name: string;
  /** The verified domains */
  readonly domains: readonly string[];
}

/** @param knownName name of the organization, used if its details cannot be loaded */
export type ContextOf = (session: OnboardingSession, knownName?: string) => Promise<OnboardingContext>;

const WARNING =
  'Your organization was created, but its details could not be loaded. You can continue; some information may be missing.';

/** Returns the progress of a session for its user, with the CSRF token of the next step. */
export function createContextOf(deps: {
  loadDetails: (organizationId: OrganizationId) => Promise<OrganizationDetails>;
  csrf: CsrfTokens;
  onDetailsMissing: (err: unknown) => void;
}): ContextOf {
  const { csrf } = deps;
  return async (session, knownName = '') => {
    const { id, userId, email, name, organizationId } = session;
    const needsOrgCreation = organizationId === null;
    const details = needsOrgCreation
      ? { name: '', domains: [] }
      : await deps.loadDetails(organizationId).catch((err: unknown) => {
          deps.onDetailsMissing(err);
          return undefined;
        });
    return {
      user: { email: email ?? '', name: name ?? '', organizationName: details?.name ?? knownName },
      domains: [...(details?.domains ?? [])],
      csrfToken: csrf.tokenFor(id, needsOrgCreation ? 'create_org' : 'consent', userId),
      needsOrgCreation,
      suggestedOrgName: needsOrgCreation ? suggestOrganizationName(email, session.emailVerified) : null,
      ...(!details && { warning: WARNING }),
    };
  };
}
