import type { OrganizationId } from '@legate/ids';
import type { TenantReader } from '../../storage/reader.ts';
import type { AuditEvent } from './audit-event.ts';
import { seesAll, type TrailReader } from './visible.ts';

/** Kinds of targets that have a current name: the table, and the column of the name */
const NAMES_OF = {
  site: ['sites', 'name'],
  agent: ['agents', 'name'],
  connector: ['connectors', 'name'],
  domain: ['domains', 'domain'],
  member: ['members', 'name'],
  service_account: ['service_accounts', 'name'],
  api_key: ['api_keys', 'name'],
} as const;
const KINDS = Object.keys(NAMES_OF) as (keyof typeof NAMES_OF)[];

const FIND = [
  "SELECT 'user' AS kind, user_id AS id, name, email FROM members WHERE organization_id = $1 AND user_id = ANY($2)",
  "SELECT 'organization', id::text, name, NULL FROM organizations WHERE id = $1",
  ...KINDS.map((kind, index) => {
    const [table, column] = NAMES_OF[kind];
    return `SELECT '${kind}', id::text, ${column}, NULL FROM ${table} WHERE organization_id = $1 AND id = ANY($${index + 3})`;
  }),
].join(' UNION ALL ');

interface Found {
  readonly kind: string;
  readonly id: string;
  readonly name: string | null;
  readonly email: string | null;
}

/**
 * Adds the names and e-mail addresses that events lack, with their current values, because services know only
 * ids. It uses one statement for the page, and stores nothing.
 */
export async function withNames(
  tenants: TenantReader,
  organizationId: OrganizationId,
  reader: TrailReader,
  events: readonly AuditEvent[],
): Promise<AuditEvent[]> {
  if (events.length === 0) return [];
  const users = new Set<string>();
  const targets = new Map<string, Set<string>>(KINDS.map((kind) => [kind, new Set()]));
  for (const event of events) {
    if (event.actor.type === 'user') users.add(event.actor.id);
    else targets.get(event.actor.type)?.add(event.actor.id);
    for (const { type, id, name } of event.targets) {
      if (name === null) (type === 'user' ? users : targets.get(type))?.add(id);
    }
  }
  const rows = await tenants.queryAsTenant<Found>(organizationId, {
    name: 'audit_names',
    text: FIND,
    values: [organizationId, [...users], ...KINDS.map((kind) => [...(targets.get(kind) ?? [])])],
  });
  const known = new Map(rows.map((row) => [`${row.kind} ${row.id}`, row]));
  const mayKnow = ({ actor }: AuditEvent) => seesAll(reader) || actor.id === reader.userId;
  return events.map((event) => {
    const actor = known.get(`${event.actor.type} ${event.actor.id}`);
    const email = event.actor.email ?? (mayKnow(event) ? (actor?.email ?? null) : null);
    return {
      ...event,
      actor: { ...event.actor, name: actor?.name ?? null, email },
      targets: event.targets.map((target) => ({
        ...target,
        name: target.name ?? known.get(`${target.type} ${target.id}`)?.name ?? null,
      })),
    };
  });
}
