import type { EventFilters } from './list-query.ts';
import type { Bind, Visible } from './visible.ts';

/** The actions of each outcome of a call; `outcome_of_call` in the migrations uses the same. */
const ACTIONS_OF = {
  allowed: ['tool.called', 'prompt.read', 'resource.read', 'delegation.granted'],
  refused: ['tool.denied', 'prompt.denied', 'resource.denied', 'delegation.denied'],
  failed: ['tool.failed', 'prompt.failed', 'resource.failed', 'delegation.failed'],
} as const;

/** Digests of tokens that services report */
const TOKENS_OF_DETAILS = ['id_token_hash', 'access_token_hash', 'id_jag_hash', 'transaction_token_hash'];

/** The kinds of targets whose names are looked up, with their tables */
const NAMED = ['sites', 'agents', 'connectors'];

type Conditions = {
  readonly [Name in keyof Required<EventFilters>]: (
    value: NonNullable<EventFilters[Name]>,
    bind: Bind,
    visible: Visible,
  ) => string;
};

/** SQL of each filter; a row is `r`, `$1` the organization. */
const CONDITIONS: Conditions = {
  action(actions, bind) {
    const all = actions.filter((action) => action.endsWith('.*')).map((action) => action.slice(0, -2));
    const exact = actions.filter((action) => !action.endsWith('.*'));
    return `(r.action = ANY(${bind(exact)}) OR split_part(r.action, '.', 1) = ANY(${bind(all)}))`;
  },
  actor_id: (id, bind) => `r.actor->>'id' = ${bind(id)}`,
  actor_type: (type, bind) => `r.actor->>'type' = ${bind(type)}`,
  actor_email(email, bind) {
    const wanted = `lower(${bind(email)})`;
    return `(lower(r.actor->>'email') = ${wanted} OR r.actor->>'type' = 'user' AND r.actor->>'id' IN (
      SELECT m.user_id FROM members m WHERE m.organization_id = $1 AND lower(m.email) = ${wanted}))`;
  },
  target_id: (id, bind) => `r.targets @> jsonb_build_array(jsonb_build_object('id', ${bind(id)}::text))`,
  // Matches only events that show the field: a filter must not reveal a value that the response omits.
  client_id: (id, bind, { inFull }) =>
    `(${bind(id)} IN (r.context->>'client_id', r.details->>'authorized_party') AND ${inFull})`,
  token_id(id, bind, { inFull }) {
    const wanted = bind(id);
    const places = ["r.context->>'token_id'", ...TOKENS_OF_DETAILS.map((name) => `r.details->>'${name}'`)];
    return `(${wanted} IN (${places.join(', ')}) AND ${inFull})`;
  },
  request_id: (id, bind) => `r.context->>'request_id' = ${bind(id)}`,
  trace_id: (id, bind) =>
    `${bind(id)} IN (r.context->>'trace_id', r.details->>'trace_id', r.details->>'caller_trace_id')`,
  outcome: (outcome, bind) => `r.action = ANY(${bind(ACTIONS_OF[outcome])})`,
  rule: (rule, bind) => `r.details->>'rule' = ${bind(rule)}`,
  search(text, bind) {
    const part = `lower(${bind(text)})`;
    const has = (column: string) => `strpos(lower(${column}), ${part}) > 0`;
    const named = NAMED.map(
      (table) => `SELECT t.id::text FROM ${table} t WHERE t.organization_id = $1 AND ${has('t.name')}`,
    );
    // Searches the whole text first: expanding all targets would take most of the time.
    return `(${has("r.actor->>'id'")} OR ${has("r.actor->>'email'")}
      OR r.actor->>'id' IN (SELECT m.user_id FROM members m
        WHERE m.organization_id = $1 AND (${has('m.name')} OR ${has('m.email')}))
      OR ${has('r.targets::text')} AND EXISTS (SELECT FROM jsonb_array_elements(r.targets) t
        WHERE ${has("t->>'name'")} OR ${has("t->>'id'")})
      OR jsonb_path_query_array(r.targets, '$[*].id') ?| ARRAY(${named.join(' UNION ALL ')}))`;
  },
  from: (from, bind) => `r.occurred_at >= ${bind(from)}`,
  to: (to, bind) => `r.occurred_at < ${bind(to)}`,
};

/** Returns the conditions of the filters that are set. */
export function conditionsOf(filters: EventFilters, bind: Bind, visible: Visible): string[] {
  return Object.entries(CONDITIONS).flatMap(([name, condition]) => {
    const value = filters[name as keyof EventFilters];
    // The type of a value is that of its own condition.
    return value === undefined ? [] : [(condition as (...args: unknown[]) => string)(value, bind, visible)];
  });
}
