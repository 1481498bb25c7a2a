import type { OrganizationId, UserId } from '@legate/ids';
import type { TenantDatabase } from '@legate/postgres';
import { allowAgain } from './callers/standing/allow-again.ts';
import { createDomainStore } from './catalog/domains/store.ts';
import { type Change, createMakeChange } from './changes/change.ts';
import { systemAuthor } from './domain/author.ts';
import { createRevocationFollowUp } from './hub/follow-up.ts';
import { createOutbox } from './hub/outbox.ts';
import { appointOwner } from './people/members/appoint-owner.ts';
import { createMemberStore } from './people/members/store.ts';
import { createOrganizationLifeCycle } from './people/organizations/life-cycle.ts';
import { createProfileStore } from './people/organizations/profile-store.ts';

/** Arguments of a command of the operator */
export interface OperatorRequest {
  readonly organization: OrganizationId;
  readonly reason: string;
  /** The user whom `appoint-owner` appoints; other commands have no user. */
  readonly user?: UserId | undefined;
}

interface Command {
  /** `owner`: runs as the owner of the tables, for actions that the application may not take */
  readonly login: 'application' | 'owner';
  readonly needsUser: boolean;
  /** Message for the log after the command has succeeded */
  readonly done: string;
  run(
    deps: { tenants: TenantDatabase; clock: () => Date },
    change: Change,
    request: OperatorRequest,
  ): Promise<unknown>;
}

const lifeCycleOf = ({ tenants, clock }: { tenants: TenantDatabase; clock: () => Date }) =>
  createOrganizationLifeCycle({
    store: createProfileStore(tenants),
    releaseDomains: createDomainStore(tenants).releaseAll,
    clock,
  });

/**
 * The commands with which an operator changes one organization. Each is recorded in its audit trail, with the
 * reason.
 */
export const OPERATOR_COMMANDS = {
  'appoint-owner': {
    login: 'application',
    needsUser: true,
    done: 'an owner was appointed',
    async run({ tenants }, change, { user, reason }) {
      if (user !== undefined) await appointOwner(createMemberStore(tenants), change, user, reason);
    },
  },
  suspend: {
    login: 'application',
    needsUser: false,
    done: 'the organization is suspended',
    run: (deps, change, { reason }) => lifeCycleOf(deps).suspend(change, 'operator', reason),
  },
  reactivate: {
    login: 'application',
    needsUser: false,
    done: 'the organization is not suspended',
    run: (deps, change, { reason }) => lifeCycleOf(deps).reactivate(change, 'operator', reason),
  },
  restore: {
    login: 'application',
    needsUser: false,
    done: 'the organization is not deleted',
    run: (deps, change, { reason }) => lifeCycleOf(deps).restore(change, reason),
  },
  'allow-again': {
    login: 'owner',
    needsUser: false,
    done: 'a token may create the organization again',
    run: (_deps, change, { reason }) => allowAgain(change, reason),
  },
} as const satisfies Readonly<Record<string, Command>>;

export type OperatorCommand = keyof typeof OPERATOR_COMMANDS;

export const isOperatorCommand = (name: string): name is OperatorCommand =>
  Object.hasOwn(OPERATOR_COMMANDS, name);

/**
 * Runs a command in one transaction. Revocations for the tool hub are written to the outbox, from which the
 * service delivers them.
 * @throws {Problem} nothing was changed
 */
export async function runOperatorCommand(
  command: OperatorCommand,
  deps: { tenants: TenantDatabase; clock: () => Date },
  request: OperatorRequest,
): Promise<void> {
  const { tenants, clock } = deps;
  const followUp = createRevocationFollowUp({
    outbox: createOutbox({ tenants, clock }),
    delivery: { soon: async () => false },
  });
  const makeChange = createMakeChange(tenants, followUp);
  await makeChange(systemAuthor(request.organization), async (change) => {
    await OPERATOR_COMMANDS[command].run(deps, change, request);
  });
}
