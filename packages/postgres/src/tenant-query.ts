import pg from 'pg';

/** A statement of the extended protocol, with its values */
interface Bound {
  readonly statement: string;
  readonly values: readonly unknown[];
}

/** The parts of pg's connection and query that its types leave out */
interface Wire {
  readonly parsedStatements: Readonly<Record<string, string>>;
  bind(message: Bound): void;
  execute(message: object): void;
}
type PreparedQuery = new (
  config: pg.QueryConfig,
  callback: (err: Error | null, result: pg.QueryResult) => void,
) => pg.Submittable & {
  prepare(wire: Wire): void;
  handleCommandComplete(message: unknown, wire: Wire): void;
};

/**
 * Sets role and tenant for the transaction, and returns no row. `OR` evaluates both calls, since neither result is
 * null.
 */
const AS_TENANT = {
  name: 'as_tenant',
  text: `SELECT WHERE set_config('role', $1, true) IS NULL OR set_config('app.organization_id', $2, true) IS NULL`,
};

/**
 * A prepared statement behind `AS_TENANT`, with one Sync after both: they are one implicit transaction (PostgreSQL,
 * "Pipelining"), which the server answers in one message. BEGIN, the statement and COMMIT took half as much CPU again
 * here, and twice the time (docs/performance.md).
 */
class TenantQuery extends (pg.Query as unknown as PreparedQuery) {
  private isTenantSet = false;

  constructor(
    private readonly tenant: Bound,
    config: pg.QueryConfig,
    callback: (err: Error | null, result: pg.QueryResult) => void,
  ) {
    super(config, callback);
  }

  override prepare(wire: Wire): void {
    wire.bind(this.tenant);
    wire.execute({});
    super.prepare(wire);
  }

  override handleCommandComplete(message: unknown, wire: Wire): void {
    if (this.isTenantSet) super.handleCommandComplete(message, wire);
    this.isTenantSet = true;
  }
}

/**
 * Runs one prepared statement in a transaction of its own, as the role and for the organization. If setting these fails,
 * the server does not run the statement.
 * @param client of a pool with pipelining
 */
export function queryAs<Row extends pg.QueryResultRow>(
  client: pg.PoolClient,
  tenant: { readonly role: string; readonly organizationId: string },
  statement: pg.QueryConfig,
): Promise<readonly Row[]> {
  const values = [tenant.role, tenant.organizationId];
  const { connection } = client;
  return new Promise((resolve, reject) => {
    connection.stream.cork(); // all messages in one write
    try {
      // Prepared by a query of its own: pg attributes the server's ParseComplete to the name of the running query.
      if (!(connection as unknown as Wire).parsedStatements[AS_TENANT.name])
        client.query({ ...AS_TENANT, values }).catch(reject);
      client.query(
        new TenantQuery({ statement: AS_TENANT.name, values }, statement, (err, result) => {
          if (err) reject(err);
          else resolve(result.rows as Row[]);
        }),
      );
    } finally {
      connection.stream.uncork();
    }
  });
}
