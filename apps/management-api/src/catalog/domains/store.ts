import type { OrganizationId } from '@legate/ids';
import type { TenantConnection, TenantDatabase } from '@legate/postgres';
import type { Change } from '../../changes/change.ts';
import type { DomainId } from '../../domain/ids.ts';
import { problem } from '../../domain/problem-codes.ts';
import type { Stored } from '../../domain/stored.ts';
import { isoTime } from '../../storage/columns.ts';
import { queryPage } from '../../storage/page-statement.ts';
import { statement } from '../../storage/statement.ts';
import { CHALLENGE_LABEL } from './challenge.ts';
import type { Domain, ListDomains } from './domain.ts';

/** A verified domain whose daily check is due */
export interface DueDomain {
  readonly organizationId: OrganizationId;
  readonly id: DomainId;
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
const FIND = statement('domain_find')`SELECT ${STORED} FROM domains r WHERE ${ONE}`;
const LOCK = statement('domain_lock')`SELECT ${STORED} FROM domains r WHERE ${ONE} FOR UPDATE`;
const LIST_VERIFIED = statement('domains_verified')`SELECT domain FROM domains
WHERE organization_id = $1 AND state = 'verified' ORDER BY domain`;
const CREATE = statement(
  'domain_create',
)`INSERT INTO domains AS r (organization_id, id, domain, verification_token, state)
VALUES ($1, $2, $3, $4, 'pending')
ON CONFLICT ON CONSTRAINT domains_once DO NOTHING RETURNING ${STORED}`;
const FIND_HOLDER = statement(
  'domain_holder',
)`SELECT organization_id AS "organizationId", id FROM holder_of_domain($1)`;
/** The version changes only if the result of a check differs from the previous one. */
const SAVE_FOUND = statement('domain_save_found')`UPDATE domains r SET state = 'verified',
  verified_at = coalesce(r.verified_at, $3), misses = 0,
  check_at = $4, version = r.version + (r.state <> 'verified')::int,
  updated_at = CASE WHEN r.state = 'verified' THEN r.updated_at ELSE clock_timestamp() END
WHERE ${ONE} RETURNING ${STORED}`;
const SAVE_MISSING = statement(
  'domain_save_missing',
)`UPDATE domains r SET misses = r.misses + 1, check_at = $3
WHERE ${ONE} AND r.state = 'verified' RETURNING r.misses, ${STORED}`;
const FAIL = statement(
  'domain_fail',
)`UPDATE domains r SET state = 'failed', verified_at = NULL, check_at = NULL,
  misses = 0, version = r.version + 1, updated_at = clock_timestamp()
WHERE ${ONE} RETURNING ${STORED}`;
const RELEASE_ALL = statement(
  'domains_release',
)`UPDATE domains r SET state = 'pending', verified_at = NULL, check_at = NULL,
  misses = 0, version = r.version + 1, updated_at = clock_timestamp()
WHERE r.organization_id = $1 AND r.state = 'verified' RETURNING r.id`;
const REMOVE = statement('domain_remove')`DELETE FROM domains r WHERE ${ONE}`;
const TAKE_DUE = statement('domains_take_due')`SELECT organization_id AS "organizationId", id
FROM take_due_domains($1, $2, $3)`;

export type DomainStore = ReturnType<typeof createDomainStore>;

export function createDomainStore(tenants: TenantDatabase) {
  async function one<Row extends Stored<Domain>>(
    connection: TenantConnection,
    sent: ReturnType<typeof FIND>,
  ): Promise<Row> {
    const [row] = await connection.query<Row>(sent).catch(refuseVerifiedElsewhere);
    if (!row) throw new Error('a domain is gone while it is locked');
    return row;
  }

  return {
    /** Lists domains in the requested order, then by id. Page and total are consistent. */
    list: (organizationId: OrganizationId, query: ListDomains) =>
      queryPage<Domain>(tenants, organizationId, query, {
        name: `domains_list_${query.sort}`,
        from: 'domains r',
        where: 'r.organization_id = $1',
        orderBy: ORDER_BY[query.sort],
        json: DOMAIN_JSON,
      }),
    async find(organizationId: OrganizationId, id: DomainId) {
      const [row] = await tenants.queryAsTenant<Stored<Domain>>(organizationId, FIND(organizationId, id));
      return row;
    },
    /** The names of the verified domains, in alphabetical order */
    async listVerified(organizationId: OrganizationId): Promise<readonly string[]> {
      const sent = LIST_VERIFIED(organizationId);
      const rows = await tenants.queryAsTenant<{ domain: string }>(organizationId, sent);
      return rows.map(({ domain }) => domain);
    },
    /**
     * Adds a domain, even if another organization has verified it, because the latest proof counts.
     * @throws {Problem} 409 `domain_already_added`
     */
    async create({ connection, organizationId }: Change, id: DomainId, domain: string, token: string) {
      const [row] = await connection.query<Stored<Domain>>(CREATE(organizationId, id, domain, token));
      if (!row)
        throw problem('domain_already_added', { detail: 'The organization has this domain already.' });
      return row;
    },
    /** Waits for concurrent changes of the domain, and returns it with these changes. */
    async lock({ connection, organizationId }: Change, id: DomainId) {
      const [row] = await connection.query<Stored<Domain>>(LOCK(organizationId, id));
      return row;
    },
    /**
     * Saves that the record was found: the domain becomes or stays verified.
     * @param checkAt time of the next check
     * @throws {Problem} 409 `domain_verified_elsewhere`
     */
    saveFound: ({ connection, organizationId }: Change, id: DomainId, now: Date, checkAt: Date) =>
      one<Stored<Domain>>(connection, SAVE_FOUND(organizationId, id, now, checkAt)),
    /** Saves that a verified domain's record is missing: at the `failsAt`th time in a row the domain fails. */
    async saveMissing({ connection, organizationId }: Change, id: DomainId, checkAt: Date, failsAt: number) {
      const sent = SAVE_MISSING(organizationId, id, checkAt);
      const { misses, ...stored } = await one<Stored<Domain> & { misses: number }>(connection, sent);
      return misses < failsAt ? stored : one<Stored<Domain>>(connection, FAIL(organizationId, id));
    },
    /**
     * Ends the verification of all domains: they must be verified again, and other organizations may verify
     * them. @returns their number
     */
    releaseAll: async ({ connection, organizationId }: Change): Promise<number> =>
      (await connection.query(RELEASE_ALL(organizationId))).length,
    async remove({ connection, organizationId }: Change, id: DomainId) {
      await connection.query(REMOVE(organizationId, id));
    },
    /** Finds the organization that has verified a domain, among all organizations */
    async findHolder(domain: string) {
      const [row] = await tenants.queryAsTenant<DueDomain>('', FIND_HOLDER(domain));
      return row;
    },
    /**
     * Takes due domains of all organizations; no other process gets them before `againAt`.
     * @param atMost maximum number, up to 1000
     */
    takeDue: (now: Date, againAt: Date, atMost: number) =>
      tenants.queryAsTenant<DueDomain>('', TAKE_DUE(now, againAt, atMost)),
  };
}

/**
 * The unique index decides, so that one of two concurrent verifications is refused. The response does not
 * reveal which organization holds the domain.
 */
function refuseVerifiedElsewhere(err: unknown): never {
  if (err instanceof Error && 'constraint' in err && err.constraint === 'domains_verified_once') {
    throw problem('domain_verified_elsewhere', { detail: 'Another organization has verified this domain.' });
  }
  throw err;
}
