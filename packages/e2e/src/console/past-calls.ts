import { scene } from '@legate/dev';
import { Client } from 'pg';

/** Calls of a weekday in the past: of which tool, how many, and what became of them. */
const KINDS = [
  { tool: 'whoami', calls: 18, action: 'tool.called', leg: 'tool', rule: 'granted' },
  { tool: 'list_notes', calls: 26, action: 'tool.called', leg: 'tool', rule: 'granted' },
  { tool: 'delete_note', calls: 2, action: 'tool.denied', leg: 'binding', rule: 'tool_not_bound' },
  { tool: 'create_note', calls: 1, action: 'tool.denied', leg: 'idp', rule: 'policy_denied' },
] as const;

/**
 * Inserts the calls of the 29 days before today into the audit trail of Acme, whose database counts them. On weekends
 * there are few, and the numbers of the other days vary.
 * @param databaseUrl login of the database's owner
 */
export async function insertPastCalls(
  databaseUrl: string,
  agent: { id: string; name: string },
): Promise<void> {
  const owner = new Client({ connectionString: databaseUrl });
  await owner.connect();
  try {
    await owner.query('SELECT ensure_audit_partitions(1)');
    for (const [index, kind] of KINDS.entries())
      await owner.query(INSERT, [
        `past${index}`,
        kind.action,
        JSON.stringify({ type: 'user', id: scene.USERS.alice.id, email: scene.USERS.alice.email }),
        JSON.stringify([
          { type: 'agent', ...agent },
          { type: 'connector', id: scene.CONNECTOR, name: 'Reference tools' },
          { type: 'tool', id: kind.tool, name: null },
        ]),
        JSON.stringify({ leg: kind.leg, rule: kind.rule, cache: 'hit', recorded_by: 'tool-hub' }),
        kind.calls,
      ]);
  } finally {
    await owner.end();
  }
}

const INSERT = `
  INSERT INTO audit_events (id, organization_id, action, actor, targets, context, details, occurred_at)
  SELECT 'evt_' || $1 || '_' || day || '_' || call, 'org_acme', $2, $3::jsonb, $4::jsonb,
    '{"request_id": null, "ip": null, "user_agent": null}', $5::jsonb, date_trunc('day', now()) - day * interval '1 day'
      + interval '8 hours' + call * interval '7 minutes'
  FROM generate_series(1, 29) day,
    generate_series(1, CASE WHEN extract(isodow FROM now() - day * interval '1 day') > 5 THEN ($6::int + 3) / 6
      ELSE $6::int * (7 + (day * 5) % 8) / 10 END) call`;
