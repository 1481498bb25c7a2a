import type { OrganizationId, UserId } from '@legate/ids';
import type { TenantDatabase } from '@legate/postgres';
import type { Logger } from '@legate/service';
import type { MakeChange } from '../changes/change.ts';
import { createAcceptance } from '../invitations/acceptance.ts';
import { createAcceptanceStore } from '../invitations/acceptance-store.ts';
import { createInvitationStore } from '../invitations/store.ts';
import type { OrganizationDetails } from '../onboarding/context.ts';
import type { CsrfTokens } from '../onboarding/csrf.ts';
import type { IdentityDirectory } from '../onboarding/identity-directory.ts';
import { createInvited, type Invited } from '../onboarding/invited.ts';
import type { SessionStore } from '../onboarding/session-store.ts';
import type { OnboardingSettings } from '../onboarding/settings.ts';

/** What an invited person does with a link, in the pages of onboarding. */
export function createInvitedFeature(deps: {
  identityProvider: { readonly issuer: string; readonly settings: OnboardingSettings };
  tenants: TenantDatabase;
  makeChange: MakeChange;
  directory: IdentityDirectory;
  sessions: SessionStore;
  csrf: CsrfTokens;
  loadDetails: (organizationId: OrganizationId) => Promise<OrganizationDetails>;
  /** Makes this process read a membership again. */
  forget: (organizationId: OrganizationId, userId: UserId) => void;
  maxMembers: number;
  clock: () => Date;
  log: Logger;
}): Invited {
  const { tenants, makeChange, directory, sessions, csrf, loadDetails, forget, maxMembers, clock, log } =
    deps;
  const { issuer, settings } = deps.identityProvider;
  const acceptance = createAcceptance({
    store: createAcceptanceStore(tenants),
    invitations: createInvitationStore(tenants),
    makeChange,
    addMembership: directory.addMembership,
    removeMembership: directory.removeMembership,
    multipleOrganizations: settings.multipleOrganizations,
    maxMembers,
    onNotUndone: (err) => log.warn({ err }, 'a membership was not undone at the identity provider'),
    clock,
  });
  return createInvited({ issuer, acceptance, store: sessions, csrf, loadDetails, forget, clock });
}
