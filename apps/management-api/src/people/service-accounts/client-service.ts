import { UserId } from '@legate/ids';
import type { HappensTo } from '@legate/management-contract';
import { notFound, type Problem } from '@legate/service';
import type { Change, MakeChange } from '../../changes/change.ts';
import { changesBetween } from '../../domain/audit-event.ts';
import type { Author } from '../../domain/author.ts';
import type { Caller } from '../../domain/caller.ts';
import type { ServiceAccountId } from '../../domain/ids.ts';
import { problem } from '../../domain/problem-codes.ts';
import { hashOfSecretToken, newSecretToken } from '../../domain/secret-token.ts';
import type { Stored, VersionCheck } from '../../domain/stored.ts';
import type { ConfirmedClient, PutClient, RegisteredClient } from './client.ts';
import type { ClientStore } from './client-store.ts';
import type { Maker } from './maker.ts';
import { recordAccount, type ServiceAccounts } from './service.ts';
import type { ServiceAccount } from './service-account.ts';
import type { ServiceAccountStore } from './store.ts';

const DAY_MS = 24 * 3600 * 1000;

export type Clients = ReturnType<typeof createClients>;

/** Registers, confirms and removes the identity provider's client that acts as a service account. */
export function createClients(deps: {
  accounts: ServiceAccounts;
  accountStore: Pick<ServiceAccountStore, 'written'>;
  store: ClientStore;
  /** Returns true for users whom a machine must not replace: members, and users who are kept out by a decision. */
  isMember: (change: Change, userId: UserId) => Promise<boolean>;
  /** The issuer URL of the identity provider */
  issuer: string;
  makeChange: MakeChange;
  clock: () => Date;
}) {
  const { accounts, accountStore, store, isMember, issuer, makeChange, clock } = deps;

  return {
    /**
     * Registers a client, possibly in place of another one, and creates a confirmation.
     * @throws {Problem} 403 `role_escalation`, 404, 409 `client_already_registered`, `client_is_member`, 412
     */
    async put(
      change: Change,
      maker: Maker,
      id: ServiceAccountId,
      check: VersionCheck,
      { subject }: PutClient,
    ): Promise<Stored<RegisteredClient>> {
      await store.lockAll(change);
      const { value: before } = await accounts.lock(change, id, check);
      await accounts.refuseRoleBeyond(change, maker, before.role);
      const client = { issuer, subject };
      if (await store.isTaken(change, id, client)) throw alreadyRegistered();
      if (await isMember(change, subject)) throw clientIsMember();
      const confirmation = newSecretToken('clientConfirmation');
      const hash = hashOfSecretToken('clientConfirmation', confirmation);
      if (!hash) throw new Error('a new confirmation is none');
      const expiresAt = new Date(clock().getTime() + DAY_MS);
      await store.put(change, id, client, hash, expiresAt);
      const { value, version } = await accountStore.written(change, id);
      await recordClient(change, 'client_set', before, value);
      const shown = { ...value, confirmation, confirmation_expires_at: expiresAt.toISOString() };
      return { value: shown, version };
    },
    /** May be repeated. @throws {Problem} 404, 412 */
    async remove(change: Change, id: ServiceAccountId, check: VersionCheck): Promise<void> {
      const { value: before } = await accounts.lock(change, id, check);
      if (before.client === null) return;
      await store.remove(change, id);
      await recordClient(change, 'client_set', before, { ...before, client: null });
    },
    /**
     * Called by the client itself: otherwise an organization could register another party's client, and receive its
     * data. Unknown, expired and used confirmations, and those of other clients, get the same response.
     * @param authorIn returns the author, once the organization is known
     * @throws {Problem} 404; 409 `client_already_confirmed`
     */
    async confirm(
      caller: Caller,
      confirmation: string,
      authorIn: (organizationId: Author['organizationId']) => Author,
    ): Promise<ConfirmedClient> {
      const hash = hashOfSecretToken('clientConfirmation', confirmation);
      const place = hash && (await store.findConfirmation(hash));
      if (!hash || !place || caller.looksLike === 'person') throw noConfirmation();
      const { organizationId, id } = place;
      const client = { issuer: caller.issuer, subject: subjectOf(caller) };
      // The actor is the machine, not a person with the same name.
      const author: Author = {
        ...authorIn(organizationId),
        type: 'service_account',
        userId: UserId.parse(id),
      };
      return makeChange(author, async (change) => {
        const isConfirmed = await store.confirm(change, id, client, hash, clock()).catch((err: unknown) => {
          throw isTakenElsewhere(err) ? alreadyConfirmed(err) : err;
        });
        if (!isConfirmed) throw noConfirmation();
        const { value } = await accountStore.written(change, id);
        const before = { ...value, client: value.client && { ...value.client, confirmed_at: null } };
        await recordClient(change, 'client_confirmed', before, value);
        return {
          organization_id: organizationId,
          service_account_id: id,
          role: value.role,
          confirmed_at: value.client?.confirmed_at ?? clock().toISOString(),
        };
      });
    },
  };
}

/** Returns the client's own `sub`, also for a client that already acts as a service account. */
export const subjectOf = ({ serviceAccount, subject }: Caller): UserId => serviceAccount?.client ?? subject;

const recordClient = (
  change: Change,
  what: HappensTo<'service_account'>,
  before: ServiceAccount,
  after: ServiceAccount,
) => recordAccount(change, what, after, changesBetween(before, after, ['client']));

/** Returns true for unique_violation: only the index over all organizations can still be violated. */
const isTakenElsewhere = (err: unknown): boolean =>
  err instanceof Error && 'code' in err && err.code === '23505';

const noConfirmation = (): Problem => notFound('There is no such confirmation for this client.');

const alreadyConfirmed = (cause: unknown): Problem =>
  problem('client_already_confirmed', {
    detail: 'The client has confirmed that it belongs to another organization.',
    cause,
  });

const alreadyRegistered = (): Problem =>
  problem('client_already_registered', { detail: 'Another service account has this client.' });

const clientIsMember = (): Problem =>
  problem('client_is_member', { detail: 'A member of the organization has this subject.' });
