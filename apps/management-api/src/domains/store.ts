import type { OrganizationId } from '@legate/ids';
import type { Page } from '@legate/pagination';
import type { TenantConnection, TenantDatabase } from '@legate/postgres';
import type { Problem } from '@legate/service';
import type { DomainId } from '../domain/ids.ts';
import { problem } from '../domain/problem-codes.ts';
import type { Stored } from '../domain/stored.ts';
import { isoTime } from '../storage/columns.ts';
import { queryPage } from '../storage/page-statement.ts';
import { CHALLENGE_LABEL } from './challenge.ts';
import type { Domain, ListDomains } from './domain.ts';

/** A verified domain whose daily check is due */
export interface DueDomain {
  readonly organizationId: OrganizationId;
  readonly id: DomainId;
}

export interface DomainStore {
  /** In the requested order, then by id. Page and total are consistent. */
  list(organizationId: OrganizationId, query: ListDomains): Promise<Page<Domain>>;
  find(organizationId: OrganizationId, id: DomainId): Promise<Stored<Domain> | undefined>;
  /** The names of the verified ones, by the alphabet */
  listVerified(organizationId: OrganizationId): Promise<readonly string[]>;
  /**
   * Allowed even if another organization has verified the domain, because the latest proof wins. @throws {Problem} 409
   * `domain_already_added`
   */
  create(
    connection: TenantConnection,
    organizationId: OrganizationId,
    domain: { id: DomainId; domain: string; token: string },
  ): Promise<Stored<Domain>>;
  /** Waits for other changes of the domain, and returns it as they left it. */
  lock(
    connection: TenantConnection,
    organizationId: OrganizationId,
    id: DomainId,
  ): Promise<Stored<Domain> | undefined>;
  /**
   * Saves that the record was found: the domain becomes or stays verified.
   * @param checkAt the next check
   * @throws {Problem} 409 `domain_verified_elsewhere`
   */
  saveFound(
    connection: TenantConnection,
    organizationId: OrganizationId,
    id: DomainId,
    times: { now: Date; checkAt: Date },
  ): Promise<Stored<Domain>>;
  /** Saves that a verified domain's record is missing: at the `failsAt`th time in a row the domain fails. */
  saveMissing(
    connection: TenantConnection,
    organizationId: OrganizationId,
    id: DomainId,
    next: { checkAt: Date; failsAt: number },
  ): Promise<Stored<Domain>>;
  remove(connection: TenantConnection, organizationId: OrganizationId, id: DomainId): Promise<void>;
  /** Finds who has verified a domain, among all organizations */
  findHolder(domain: string): Promise<DueDomain | undefined>;
  /**
   * Takes domains of all organizations that are due; no other process gets them before `againAt`.
   * @param atMost up to 1000
   */
  takeDue(times: { now: Date; againAt: Date }, atMost: number): Promise<readonly DueDomain[]>;
}

const DOMAIN_JSON = `json_build_object('id', r.id, 'domain', r.domain, 'state', r.state,
  'verified_at', ${isoTime('verified_at')}, 'verification', json_build_object('type', 'TXT',
    'name', '${CHALLENGE_LABEL}.' || r.domain, 'value', r.verification_token),
  'created_at', ${isoTime('created_at')}, 'updated_at', ${isoTime('updated_at')})`;
const STORED = `${DOMAIN_JSON} AS value, r.version::text`;

const ORDER_BY = {
  created_at: 'r.created_at, r.id',
  '-created_at': 'r.created_at DESC, r.id DESC',
  domain: 'r.domain, r.id',
  '-domain': 'r.domain DESC, r.id DESC',
} as const;

const ONE = 'r.organization_id = $1 AND r.id = $2';
const FIND = `SELECT ${STORED} FROM domains r WHERE ${ONE}`;
const LIST_VERIFIED = `SELECT domain FROM domains WHERE organization_id = $1 AND state = 'verified' ORDER BY domain`;
const CREATE = `INSERT INTO domains AS r (organization_id, id, domain, verification_token, state)
VALUES ($1, $2, $3, $4, 'pending')
ON CONFLICT ON CONSTRAINT domains_once DO NOTHING RETURNING ${STORED}`;
const FIND_HOLDER = 'SELECT organization_id AS "organizationId", id FROM holder_of_domain($1)';
/** A check with the same result does not change the version. */
const SAVE_FOUND = `UPDATE domains r SET state = 'verified', verified_at = coalesce(r.verified_at, $3), misses = 0,
  check_at = $4, version = r.version + (r.state <> 'verified')::int,
  updated_at = CASE WHEN r.state = 'verified' THEN r.updated_at ELSE clock_timestamp() END
WHERE ${ONE} RETURNING ${STORED}`;
const SAVE_MISSING = `UPDATE domains r SET misses = r.misses + 1, check_at = $3
WHERE ${ONE} AND r.state = 'verified' RETURNING r.misses, ${STORED}`;
const FAIL = `UPDATE domains r SET state = 'failed', verified_at = NULL, check_at = NULL, misses = 0,
  version = r.version + 1, updated_at = clock_timestamp()
WHERE ${ONE} RETURNING ${STORED}`;
const REMOVE = `DELETE FROM domains r WHERE ${ONE}`;
const TAKE_DUE = 'SELECT organization_id AS "organizationId", id FROM take_due_domains($1, $2, $3)';

export function createDomainStore(tenants: TenantDatabase): DomainStore {
  async function one<Row extends Stored<Domain>>(
    connection: TenantConnection,
    name: string,
    text: string,
    values: unknown[],
  ): Promise<Row> {
    const [row] = await connection.query<Row>({ name, text, values }).catch(refuseVerifiedElsewhere);
    if (!row) throw new Error('a domain is gone while it is locked');
    return row;
  }

  return {
    list: (organizationId, query) =>
      queryPage<Domain>(tenants, organizationId, query, {
        name: `domains_list_${query.sort}`,
        from: 'domains r',
        where: 'r.organization_id = $1',
        orderBy: ORDER_BY[query.sort],
        json: DOMAIN_JSON,
      }),
    async find(organizationId, id) {
      const statement = { name: 'domain_find', text: FIND, values: [organizationId, id] };
      const [row] = await tenants.queryAsTenant<Stored<Domain>>(organizationId, statement);
      return row;
    },
    async listVerified(organizationId) {
      const statement = { name: 'domains_verified', text: LIST_VERIFIED, values: [organizationId] };
      const rows = await tenants.queryAsTenant<{ domain: string }>(organizationId, statement);
      return rows.map(({ domain }) => domain);
    },
    async create(connection, organizationId, { id, domain, token }) {
      const values = [organizationId, id, domain, token];
      const [row] = await connection.query<Stored<Domain>>({ name: 'domain_create', text: CREATE, values });
      if (!row) throw alreadyAdded();
      return row;
    },
    async lock(connection, organizationId, id) {
      const statement = { name: 'domain_lock', text: `${FIND} FOR UPDATE`, values: [organizationId, id] };
      const [row] = await connection.query<Stored<Domain>>(statement);
      return row;
    },
    saveFound: (connection, organizationId, id, { now, checkAt }) =>
      one(connection, 'domain_save_found', SAVE_FOUND, [organizationId, id, now, checkAt]),
    async saveMissing(connection, organizationId, id, { checkAt, failsAt }) {
      const { misses, ...stored } = await one<Stored<Domain> & { misses: number }>(
        connection,
        'domain_save_missing',
        SAVE_MISSING,
        [organizationId, id, checkAt],
      );
      return misses < failsAt ? stored : one(connection, 'domain_fail', FAIL, [organizationId, id]);
    },
    async remove(connection, organizationId, id) {
      await connection.query({ name: 'domain_remove', text: REMOVE, values: [organizationId, id] });
    },
    async findHolder(domain) {
      const statement = { name: 'domain_holder', text: FIND_HOLDER, values: [domain] };
      const [row] = await tenants.queryAsTenant<DueDomain>('', statement);
      return row;
    },
    takeDue: ({ now, againAt }, atMost) =>
      tenants.queryAsTenant<DueDomain>('', {
        name: 'domains_take_due',
        text: TAKE_DUE,
        values: [now, againAt, atMost],
      }),
  };
}

const alreadyAdded = (): Problem =>
  problem('domain_already_added', {
    detail: 'The organization has this domain already.',
  });

/**
 * The index decides, so that of two concurrent verifications one is refused. The response does not reveal the holder.
 */
function refuseVerifiedElsewhere(err: unknown): never {
  if (err instanceof Error && 'constraint' in err && err.constraint === 'domains_verified_once') {
    throw problem('domain_verified_elsewhere', {
      detail: 'Another organization has verified this domain.',
    });
  }
  throw err;
}
