import type { ManagementClient } from '@legate/client/management';
import { usageError } from '../command-line/cli-error.ts';
import { type Context, defineCommand, flag, text } from '../command-line/command.ts';
import { EXIT } from '../command-line/exit-codes.ts';
import { IDENTITY_OPTIONS } from '../identity/identity.ts';
import { type ManagementApi, openManagementApi } from '../services/management-api.ts';
import { nextLine } from '../terminal/output.ts';
import { parseSince } from '../terminal/time.ts';
import { type AuditEvent, toLine } from './audit-tail-line.ts';

const DEFAULT_LINES = 20;
const MAX_LINES = 1000;
const FOLLOW_MS = 2000;

export const auditTail = defineCommand({
  name: 'audit tail',
  summary: 'Prints the latest audit events, and can follow the trail',
  description: [
    'The oldest event comes first, as in a log. Outside a terminal, each event is one line. `--follow` prints new events every two seconds until Ctrl-C, or until the management API does not answer; a call appears shortly after it has ended. Owners and administrators see all events of the organization.',
  ],
  arguments: [],
  options: {
    since: text('time', 'events of the last `10m`, `2h` or `7d`, or since a date'),
    until: text('time', 'events before this time, in the same forms'),
    lines: text(
      'count',
      `number of latest events; default: ${DEFAULT_LINES}, at most ${MAX_LINES}; with --since: all; 0 with --follow: new events only`,
    ),
    by: text(
      'user',
      'events of this user, by e-mail address or id; by id if the trail has no address of theirs',
    ),
    agent: text('agent', 'events about this agent, by id or name'),
    tool: text(
      'name',
      'events about this tool, by its name at the tool server: `whoami`, not `reference_whoami`',
    ),
    follow: flag('keep printing new events'),
    ...IDENTITY_OPTIONS,
  },
  json: 'each event as JSON on its own line',
  examples: [
    {
      typed: 'legate audit tail --tool whoami --since 1h',
      does: 'Shows who called a tool in the last hour.',
    },
    { typed: 'legate audit tail --follow --json', does: 'Passes new events to another program.' },
  ],
  async run({ options }, context) {
    const { io, out } = context;
    const limit = readCount(options.lines);
    const [since, until] = [options.since, options.until].map((time) => time && readTime(time, io.clock()));
    if (until && options.follow)
      throw usageError(
        'New events are after --until: use either it or --follow.',
        'legate audit tail --help',
      );
    const api = await openManagementApi(context, options);
    const filter = toFilter({ ...options, agent: options.agent && (await agentId(api, options.agent)) });
    const query = { ...filter.query, ...(since && { from: since }), ...(until && { to: until }) };
    const isLimited = !since || options.lines !== undefined;
    const last = await readLast(api, query, filter.matches, isLimited ? limit : MAX_LINES);
    for (const event of last.reverse()) print(event, context);
    if (options.follow) await follow(api, filter, context, last.at(-1)?.id);
    else if (last.length === 0 && limit > 0)
      out.note(
        ['No events.', ...hintsOf(options)].join(' '),
        nextLine(context.next('legate audit tail --since 30d')),
      );
    return EXIT.done;
  },
});

/** Explains why filters may have found no events. */
function hintsOf({ by, tool }: { readonly by: string | undefined; readonly tool: string | undefined }) {
  const [, slug, name] = /^([^_]+)_(.+)$/.exec(tool ?? '') ?? [];
  return [
    ...(by?.includes('@')
      ? ['If the trail does not have the address of a user, use --by with their id.']
      : []),
    ...(by !== undefined && !by.includes('@') ? [`There may be no user with the id ${by}.`] : []),
    ...(name === undefined ? [] : [`If ${slug} is the short name of a connector, use --tool ${name}.`]),
  ];
}

function readCount(text: string | undefined): number {
  const count = text === undefined ? DEFAULT_LINES : Number(text);
  if (Number.isInteger(count) && count >= 0 && count <= MAX_LINES) return count;
  throw usageError(`--lines is a number from 0 to ${MAX_LINES}.`, 'legate audit tail --lines 100');
}

function readTime(text: string, now: Date): string {
  const time = parseSince(text, now);
  if (time) return time.toISOString();
  throw usageError(
    `${text} is not a time, such as 10m, 2h, 7d or 2026-11-25.`,
    'legate audit tail --since 1h',
  );
}

/** Returns the id of an agent that is given by its id or its name. @throws {CliError} unless the name is that of one */
async function agentId({ client, read, pages }: ManagementApi, given: string): Promise<string> {
  if (given.startsWith('agt_')) return given;
  const ids: string[] = [];
  for await (const page of pages(client, '/agents', { query: { limit: 100 } }))
    ids.push(...read(page).data.flatMap(({ id, name }) => (name === given ? [id] : [])));
  const [id, ...others] = ids;
  if (id !== undefined && others.length === 0) return id;
  throw usageError(
    id === undefined
      ? `No agent is named ${given}. An id of an agent begins with agt_.`
      : `Several agents are named ${given}: ${ids.join(', ')}.`,
    `legate audit tail${id === undefined ? ' --help' : ` --agent ${id}`}`,
  );
}

interface Filter {
  readonly query: { actor_email?: string; actor_id?: string; target_id?: string };
  /** Filters that the API cannot combine */
  readonly matches: (event: AuditEvent) => boolean;
}

function toFilter({
  by,
  agent,
  tool,
}: {
  readonly by: string | undefined;
  readonly agent: string | undefined;
  readonly tool: string | undefined;
}): Filter {
  const target = agent ?? tool;
  return {
    query: {
      ...(by !== undefined && (by.includes('@') ? { actor_email: by } : { actor_id: by })),
      ...(target !== undefined && { target_id: target }),
    },
    matches: ({ targets }) =>
      [agent, tool].every((id) => id === undefined || targets.some((each) => each.id === id)),
  };
}

/** Reads the newest events, newest first. */
async function readLast(
  { client, read, pages }: ManagementApi,
  query: object,
  matches: Filter['matches'],
  limit: number,
): Promise<AuditEvent[]> {
  const found: AuditEvent[] = [];
  if (limit === 0) return found;
  for await (const page of pages(client, '/audit-events', {
    query: { limit: Math.min(limit, 100), ...query },
  })) {
    found.push(...read(page).data.filter(matches));
    if (found.length >= limit) break;
  }
  return found.slice(0, limit);
}

/**
 * Prints events that are recorded after a given event, until Ctrl-C. @throws {CliError} if the management API does not
 * answer
 */
async function follow(
  { client, read }: ManagementApi,
  { query, matches }: Filter,
  context: Context,
  last: string | undefined,
): Promise<void> {
  let after = last ?? (await newestId({ client, read }));
  for (;;) {
    await context.io.wait(FOLLOW_MS);
    const wanted = { ...query, limit: 100, ...(after !== undefined && { after }) };
    const { data } = read(await client.GET('/audit-events', { params: { query: wanted } }));
    // Without an event to start after, the API lists the newest events first.
    for (const event of after === undefined ? data.toReversed() : data) {
      if (matches(event)) print(event, context);
      after = event.id;
    }
  }
}

async function newestId({ client, read }: { client: ManagementClient; read: ManagementApi['read'] }) {
  const { data } = read(await client.GET('/audit-events', { params: { query: { limit: 1 } } }));
  return data[0]?.id;
}

function print(event: AuditEvent, { out }: Context): void {
  out.item(event, () => toLine(event));
}
