import type { UserId } from '@legate/ids';
import type { TenantConnection, TenantDatabase } from '@legate/postgres';
import { insertAuditEvent } from '../../changes/audit-log.ts';
import type { Change } from '../../changes/change.ts';
import type { NewAuditEvent } from '../../domain/audit-event.ts';
import type { Author } from '../../domain/author.ts';
import { statement } from '../../storage/statement.ts';
import { findOwnOrganizations, type OwnOrganization } from './own-organizations.ts';
import type { OnboardingSession } from './session.ts';

/**
 * Operations possible while no other request can change the sessions of the user. Either all changes are saved, or
 * none.
 */
export interface SessionChange {
  save(session: OnboardingSession): Promise<void>;
  /** Records an event in the audit trail of the author's organization. */
  record(author: Author, event: NewAuditEvent): Promise<void>;
  /** Changes data that belongs to the author's organization. */
  asOrganization<Result>(author: Author, work: (change: Change) => Promise<Result>): Promise<Result>;
  ownOrganizations(issuer: string): Promise<readonly OwnOrganization[]>;
}

export interface SessionStore {
  insert(session: OnboardingSession): Promise<void>;
  /**
   * Runs `work` on all sessions of the user, which no other request can change meanwhile: concurrent attempts run one
   * after the other. Its changes are saved when it returns, and discarded when it throws.
   */
  withSessions<Result>(
    userId: UserId,
    work: (sessions: readonly OnboardingSession[], change: SessionChange) => Promise<Result>,
  ): Promise<Result>;
}

const COLUMNS = `id, user_id AS "userId", email, email_verified AS "emailVerified", email_proven AS "emailProven", name, step,
  external_id AS "externalId", organization_id AS "organizationId", request_hash AS "requestHash",
  lease_until AS "leaseUntil", return_to AS "returnTo", browser_hash AS "browserHash", decision, created_at AS "createdAt", expires_at AS "expiresAt"`;
const INSERT = statement(
  'onboarding_insert',
)`INSERT INTO onboarding_sessions (id, user_id, email, email_verified, name, step, external_id,
  organization_id, return_to, browser_hash, created_at, expires_at, email_proven)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`;
/** Locks the sessions of a user in the order of their ids, so that two transactions never deadlock. */
const LOCK = statement('onboarding_lock')`SELECT ${COLUMNS} FROM onboarding_sessions
WHERE user_id = $1 ORDER BY id FOR UPDATE`;
const SAVE = statement(
  'onboarding_save',
)`UPDATE onboarding_sessions SET step = $2, external_id = $3, organization_id = $4, request_hash = $5,
  lease_until = $6, decision = $7, expires_at = $8 WHERE id = $1`;
/** Completed sessions are kept for a day, so that a late retry gets their outcome. */
const FORGET = statement('onboarding_forget')`DELETE FROM onboarding_sessions
WHERE user_id = $1 AND created_at < $2::timestamptz - interval '1 day'`;

const SET_TENANT = statement('onboarding_tenant')`SELECT set_config('app.organization_id', $1, true)`;

/** Stores sessions under row-level security with the user as tenant: other users' sessions are invisible. */
export function createSessionStore(tenants: TenantDatabase): SessionStore {
  const withUser = <Result>(userId: UserId, work: (connection: TenantConnection) => Promise<Result>) =>
    tenants.withTenant(tenantOf(userId), work);
  return {
    insert: (session) =>
      withUser(session.userId, async (connection) => {
        const { id, userId, email, emailVerified, name, step, externalId, organizationId } = session;
        const { returnTo, browserHash, createdAt, expiresAt, emailProven } = session;
        const user = [userId, email, emailVerified, name];
        const progress = [step, externalId, organizationId, returnTo, browserHash];
        await connection.query(FORGET(userId, createdAt));
        await connection.query(INSERT(id, ...user, ...progress, createdAt, expiresAt, emailProven));
      }),
    withSessions: (userId, work) =>
      withUser(userId, async (connection) => {
        return work(await connection.query<OnboardingSession>(LOCK(userId)), {
          save: (session) => save(connection, session),
          record: (author, event) =>
            asOrganization(connection, userId, author, async ({ record }) => void (await record(event))),
          asOrganization: (author, work) => asOrganization(connection, userId, author, work),
          ownOrganizations: (issuer) => findOwnOrganizations(connection, issuer, userId),
        });
      }),
  };
}

const tenantOf = (userId: UserId) => `user:${userId}`;

/** Runs `work` with the organization as tenant, inside the user's transaction: if it fails, nothing is saved. */
async function asOrganization<Result>(
  connection: TenantConnection,
  userId: UserId,
  author: Author,
  work: (change: Change) => Promise<Result>,
): Promise<Result> {
  const { organizationId } = author;
  await connection.query(SET_TENANT(organizationId));
  const record = (event: NewAuditEvent) => insertAuditEvent(connection, author, event);
  const result = await work({ organizationId, connection, record });
  await connection.query(SET_TENANT(tenantOf(userId)));
  return result;
}

async function save(connection: TenantConnection, session: OnboardingSession): Promise<void> {
  const { id, step, externalId, organizationId, requestHash, leaseUntil, decision, expiresAt } = session;
  const progress = [step, externalId, organizationId, requestHash, leaseUntil, decision];
  await connection.query(SAVE(id, ...progress, expiresAt));
}
