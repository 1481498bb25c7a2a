import pg from 'pg';
import { DatabaseUnavailable, fromDriver } from './errors.ts';
import type { Pool } from './pool.ts';
import { queryAs } from './tenant-query.ts';

export interface Statement {
  readonly text: string;
  readonly values?: readonly unknown[];
}

/**
 * A statement that is prepared once per connection under its name. In the whole application, a name must always have
 * the same text.
 */
export interface NamedStatement extends Statement {
  readonly name: string;
}

/** A connection within a tenant's transaction. */
export interface TenantConnection {
  /** @throws {DatabaseUnavailable} or the server's error about the statement */
  query<Row>(statement: Statement | NamedStatement): Promise<readonly Row[]>;
}

export interface TenantDatabase {
  /**
   * Runs `work` in one transaction that sees and writes the rows of one organization only; rolls back when it throws.
   * @throws {DatabaseUnavailable}
   */
  withTenant<Result>(
    organizationId: string,
    work: (connection: TenantConnection) => Promise<Result>,
  ): Promise<Result>;
  /**
   * Runs a single statement as `withTenant` does, in one round trip.
   * @throws {DatabaseUnavailable} or the server's error about the statement
   */
  queryAsTenant<Row>(organizationId: string, statement: NamedStatement): Promise<readonly Row[]>;
  /** Rejects if the database cannot be used as the role. */
  ping(): Promise<void>;
}

/**
 * Access to tables under row-level security. Role and organization are set for the transaction and end with it: a
 * session-level SET would stay on the pooled connection for its next user. The role is set each time, so that policies
 * apply even if the pool has an owner's or superuser's login.
 * @param pool from `createPool`, which enables pipelining
 * @param options.role owns no table, and is neither superuser nor BYPASSRLS; the login must be a member of it
 */
export function createTenantDatabase(pool: Pool, options: { role: string }): TenantDatabase {
  const { role } = options;
  const setRole = `SET LOCAL ROLE ${pg.escapeIdentifier(role)}`;
  // All in one message, which the server processes at once. Each separate message would cost this process as much as a
  // small query.
  const beginAs = (organizationId: string) => {
    refuseNul(organizationId);
    return `BEGIN; ${setRole}; SET LOCAL app.organization_id TO ${pg.escapeLiteral(organizationId)}`;
  };

  async function borrow(): Promise<pg.PoolClient> {
    try {
      return await pool.connect();
    } catch (err) {
      throw new DatabaseUnavailable(err);
    }
  }

  async function queryAsTenant<Row>(
    organizationId: string,
    statement: NamedStatement,
  ): Promise<readonly Row[]> {
    refuseNul(organizationId);
    const client = await borrow();
    let failure: unknown;
    try {
      return await queryAs<Row & pg.QueryResultRow>(
        client,
        { role, organizationId },
        toQueryConfig(statement),
      );
    } catch (err) {
      failure = fromDriver(err);
      throw failure;
    } finally {
      giveBack(client, failure);
    }
  }

  async function withTenant<Result>(
    organizationId: string,
    work: (connection: TenantConnection) => Promise<Result>,
  ): Promise<Result> {
    const begin = beginAs(organizationId);
    const client = await borrow();
    const connection = tenantConnection(client);
    let failure: unknown;
    try {
      await client.query(begin).catch(rethrow);
      const result = await work(connection);
      const ended = await client.query('COMMIT').catch(rethrow);
      // The work continued after one of its statements failed, and nothing was saved.
      if (ended.command !== 'COMMIT') throw new Error('the transaction was rolled back');
      return result;
    } catch (err) {
      failure = err;
      // If the server does not respond, a rollback would only wait again. Closing the connection also rolls back.
      const needsRollback = client.getTransactionStatus() !== 'I' && !(err instanceof DatabaseUnavailable);
      if (needsRollback) await client.query('ROLLBACK').catch(() => undefined);
      throw err;
    } finally {
      connection.close();
      giveBack(client, failure);
    }
  }

  return {
    withTenant,
    queryAsTenant,
    async ping() {
      await queryAsTenant('', { name: 'legate_ping', text: 'SELECT 1' });
    },
  };
}

function tenantConnection(client: pg.PoolClient): TenantConnection & { close(): void } {
  let open = true;
  return {
    async query<Row>(statement: Statement | NamedStatement) {
      // Catches a forgotten await: the connection may belong to another tenant by now.
      if (!open) throw new Error('the transaction has ended');
      const { rows } = await client.query(toQueryConfig(statement)).catch(rethrow);
      return rows as readonly Row[];
    },
    close() {
      open = false;
    },
  };
}

/** NUL would end the message early, and the statement must not run outside of the transaction. */
function refuseNul(organizationId: string): void {
  if (organizationId.includes('\0')) throw new TypeError('an organization id contains NUL');
}

const rethrow = (err: unknown): never => {
  throw fromDriver(err);
};

/**
 * A connection may be reused only outside any transaction, and only if no response can still arrive on it. Otherwise it
 * is closed, together with its tenant setting.
 */
function giveBack(client: pg.PoolClient, failure: unknown): void {
  client.release(failure instanceof DatabaseUnavailable || client.getTransactionStatus() !== 'I');
}

function toQueryConfig(statement: Statement | NamedStatement): pg.QueryConfig {
  const { text, values } = statement;
  return {
    text,
    ...('name' in statement && { name: statement.name }),
    ...(values && { values: [...values] }),
  };
}
