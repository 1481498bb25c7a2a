import { scene } from '@legate/dev';
import { Client } from 'pg';

/** How much Acme has: more than any page shows and than any request returns. */
export const SIZE = {
  sites: 500,
  members: 200,
  agents: 150,
  connectors: 120,
  origins: 120,
  events: 100_000,
} as const;

/** Has every connector, and is on every site. */
export const BUSY_AGENT = 'agt_large_001';
/** Has every agent, and many origins. */
export const BUSY_SITE = 'site_large_001';
/** The last by name of each kind, which is on no first page. */
export const LAST = {
  agent: 'Agent 150',
  connector: 'Tools 119',
  site: 'Site 500',
} as const;

/**
 * Fills Acme by SQL. The trail covers 30 days; the trigger of the database counts its calls, as it does with events of
 * the hub.
 * @throws {Error} without `databaseUrl`: the stack has an embedded database
 */
export async function fillOrganization(
  databaseUrl: string | undefined,
  { events = SIZE.events }: { readonly events?: number } = {},
): Promise<void> {
  if (!databaseUrl) throw new Error('the stack has an embedded database');
  const owner = new Client({ connectionString: databaseUrl });
  await owner.connect();
  try {
    for (const [statement, ...values] of statementsFor(events)) await owner.query(statement, values);
  } finally {
    await owner.end();
  }
}

const numbered = (prefix: string) => `'${prefix}' || lpad(i::text, 3, '0')`;
type Statement = readonly [statement: string, ...values: unknown[]];
const statementsFor = (events: number): readonly Statement[] => [
  [`UPDATE organizations SET plan = 'custom', rate_limit_per_minute = 100000 WHERE id = 'org_acme'`],
  [
    `INSERT INTO sites (organization_id, id, name)
     SELECT 'org_acme', ${numbered('site_large_')}, ${numbered('Site ')} FROM generate_series(1, $1::int) i`,
    SIZE.sites,
  ],
  [
    `INSERT INTO members (organization_id, user_id, id, email, name, role, last_seen_at)
     SELECT 'org_acme', ${numbered('user_large_')}, ${numbered('mem_large_')}, ${numbered('person')} || '@acme.example',
       ${numbered('Person ')}, (ARRAY['viewer', 'developer', 'admin'])[1 + i % 3], clock_timestamp()
     FROM generate_series(1, $1::int) i`,
    SIZE.members,
  ],
  [
    `INSERT INTO agents (organization_id, id, name, status)
     SELECT 'org_acme', ${numbered('agt_large_')}, ${numbered('Agent ')}, 'active' FROM generate_series(1, $1::int) i`,
    SIZE.agents,
  ],
  // Copies of the connector of the scene, at other addresses
  [
    `INSERT INTO connectors SELECT (jsonb_populate_record(c, jsonb_build_object('id', ${numbered('con_large_')},
       'name', ${numbered('Tools ')}, 'slug', ${numbered('tools-')}, 'resource_url', c.resource_url || '/' || i,
       'auth_method', 'oauth-pkce', 'status', 'ready', 'secret', NULL, 'secret_updated_at', NULL))).*
     FROM connectors c, generate_series(1, $2::int) i WHERE c.organization_id = 'org_acme' AND c.id = $1`,
    scene.CONNECTOR,
    SIZE.connectors - 1,
  ],
  [
    `INSERT INTO agent_connectors (organization_id, agent_id, connector_id)
     SELECT 'org_acme', a.id, c.id FROM agents a, connectors c
     WHERE a.organization_id = 'org_acme' AND c.organization_id = 'org_acme' AND (a.id = $1 OR c.id = $2)`,
    BUSY_AGENT,
    scene.CONNECTOR,
  ],
  [
    `INSERT INTO site_agents (organization_id, site_id, agent_id, is_default)
     SELECT 'org_acme', s.id, a.id, a.id = $1 FROM agents a, sites s
     WHERE a.organization_id = 'org_acme' AND s.organization_id = 'org_acme' AND (a.id = $1 OR s.id = $2)`,
    BUSY_AGENT,
    BUSY_SITE,
  ],
  [
    `INSERT INTO site_origins (organization_id, site_id, origin, position)
     SELECT 'org_acme', $1, 'https://shop-' || i || '.example', i FROM generate_series(1, $2::int) i`,
    BUSY_SITE,
    SIZE.origins,
  ],
  // The service makes partitions from this month on: without one, earlier events would go to the default partition.
  [
    `DO $$ DECLARE month timestamptz := date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC';
     BEGIN
       EXECUTE format('CREATE TABLE audit_events_past PARTITION OF audit_events FOR VALUES FROM (%L) TO (%L)',
         month - interval '62 days', month);
     END $$`,
  ],
  [
    `INSERT INTO audit_events (id, organization_id, action, actor, targets, context, details, occurred_at)
     SELECT 'evt_' || lpad(i::text, 26, '0'), 'org_acme', kind.action,
       jsonb_build_object('type', 'user', 'id', 'user_large_' || lpad((1 + i % 200)::text, 3, '0'), 'email', null),
       jsonb_build_array(
         jsonb_build_object('type', 'agent', 'id', 'agt_large_' || lpad((1 + i % 150)::text, 3, '0'), 'name', null),
         jsonb_build_object('type', 'connector', 'id', 'con_large_' || lpad((1 + i % 119)::text, 3, '0'), 'name', null),
         jsonb_build_object('type', 'tool', 'id', 'tool_' || i % 40, 'name', null)),
       jsonb_build_object('request_id', 'req_' || i, 'ip', '192.0.2.1', 'user_agent', null),
       jsonb_build_object('leg', kind.leg, 'rule', kind.rule, 'cache', 'hit', 'recorded_by', 'tool-hub'),
       clock_timestamp() - interval '1 hour' - interval '29 days 22 hours' * (1 - i::float8 / $1::int)
     FROM generate_series(1, $1::int) i, LATERAL (SELECT * FROM (VALUES
       (0, 'tool.denied', 'binding', 'tool_not_bound'), (1, 'tool.denied', 'id_jag', 'refused_by_provider'),
       (2, 'tool.failed', 'tool', 'tool_server_unreachable'), (3, 'delegation.denied', 'access_token', 'invalid_grant'),
       (4, 'tool.denied', 'binding', 'connector_not_bound')
     ) AS refusals (n, action, leg, rule) WHERE n = i % 20
     UNION ALL SELECT 5, 'tool.called', 'tool', 'granted' WHERE i % 20 > 4) kind`,
    events,
  ],
  ['ANALYZE'],
];
