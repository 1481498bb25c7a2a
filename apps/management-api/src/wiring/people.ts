import type { UserId } from '@legate/ids';
import type { TenantDatabase } from '@legate/postgres';
import type { Standings } from '../admission/standings.ts';
import type { Operation } from '../api/operation.ts';
import type { MakeChange } from '../changes/change.ts';
import { invitationOperations } from '../invitations/routes.ts';
import { createInvitations } from '../invitations/service.ts';
import { createInvitationStore } from '../invitations/store.ts';
import { createKeepingOut } from '../members/keeping-out.ts';
import { keepingOutOperations } from '../members/keeping-out-routes.ts';
import { memberOperations } from '../members/routes.ts';
import { createMembers } from '../members/service.ts';
import { createMemberStore } from '../members/store.ts';
import type { Unlink } from '../members/unlink.ts';
import type { Hub } from '../revocations/hub.ts';
import { revocationOperations } from '../revocations/routes.ts';
import { createUserRevocations } from '../revocations/user-revocations.ts';
import { createServiceAccountsFeature } from '../service-accounts/feature.ts';
import { createNoteMakerLeft } from '../service-accounts/maker-left.ts';

export interface PeopleDependencies {
  readonly tenants: TenantDatabase;
  readonly makeChange: MakeChange;
  readonly standings: Standings;
  readonly clock: () => Date;
  readonly hub: Hub | undefined;
  readonly maxMembers: number;
  /** The identity provider */
  readonly issuer: string;
  /** Makes this process ask again where a client's tokens lead that name no organization. */
  readonly forgetClient: (subject: UserId) => void;
  /** How long an API key may be good, in days */
  readonly maxKeyDays: number;
  /** undefined: the identity provider has no admin API */
  readonly unlink: Unlink | undefined;
  /** Returns the address of an invitation's link; undefined: nobody can be invited, since there is no onboarding. */
  readonly acceptUrl: ((token: string) => string) | undefined;
}

/** Who acts in an organization: members, invited people, and machines. */
export function peopleOperations(deps: PeopleDependencies): Operation[] {
  const { tenants, makeChange, standings, clock, unlink, acceptUrl } = deps;
  const hasHub = deps.hub !== undefined;
  const store = createMemberStore(tenants);
  const onEnded = createNoteMakerLeft({ clock });
  const keepingOut = createKeepingOut({ store, maxMembers: deps.maxMembers, onEnded, clock });
  const invitations =
    acceptUrl &&
    createInvitations({ store: createInvitationStore(tenants), members: store, acceptUrl, clock });
  const machines = createServiceAccountsFeature({
    tenants,
    makeChange,
    issuer: deps.issuer,
    findMemberRole: (change, userId) => store.roleOf(change, userId),
    async isMember(change, userId) {
      const member = await store.readUser(change, userId);
      return member !== undefined && member.value.status !== 'removed';
    },
    forgetClient: deps.forgetClient,
    forgetMachines: (organizationId) => standings.forget(organizationId),
    maxKeyDays: deps.maxKeyDays,
    clock,
  });
  return [
    // Before the others, whose /members/{member_id} would match /members/deny
    ...keepingOutOperations({ keepingOut, standings, unlink, hasHub }),
    ...memberOperations({ members: createMembers({ store }), standings }),
    ...(invitations ? invitationOperations(invitations) : []),
    ...revocationOperations(createUserRevocations({ tenants, makeChange, members: store, hasHub, clock })),
    ...machines.operations,
  ];
}
