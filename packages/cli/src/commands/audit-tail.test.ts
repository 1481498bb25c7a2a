import { expect, it } from '@jest/globals';
import { API, DEVELOPMENT, problem, type Routes, runTyped, type Sent } from '../testing/run-typed.ts';

const event = (id: string, changes: object = {}) => ({
  id,
  action: 'tool.called',
  occurred_at: '2026-11-25T11:59:00.000Z',
  actor: { type: 'user', id: 'user_alice', name: 'Alice', email: 'alice@acme.example' },
  targets: [
    { type: 'agent', id: 'agt_1', name: 'Helper' },
    { type: 'tool', id: 'whoami', name: null },
  ],
  changes: null,
  context: { client_id: 'frontend-app' },
  details: { outcome: 'granted', rule: 'token_cached' },
  ...changes,
});
const EVENTS = `GET ${API}/api/v1/audit-events`;
const page = (data: object[]) => ({ data, pagination: { total: 9, limit: 20, offset: 0, has_more: false } });
const withEvents = (answer: Routes[string]): Routes => ({ ...DEVELOPMENT, [EVENTS]: answer });
const queriesOf = (sent: readonly Sent[]) =>
  sent
    .filter(({ url }) => url.includes('audit-events'))
    .map(({ url }) => Object.fromEntries(new URL(url).searchParams));

it('prints the last events, oldest first, one per line', async () => {
  const { code, stdout, sent } = await runTyped(['audit', 'tail'], {
    routes: withEvents(
      page([
        event('evt_2', { action: 'tool.denied', details: { outcome: 'denied', rule: 'x' } }),
        event('evt_1'),
      ]),
    ),
  });
  expect([code, stdout]).toEqual([
    0,
    `${[
      '2026-11-25 11:59:00Z  tool.called           alice@acme.example    through frontend-app  agent Helper (named by the application), tool whoami  allowed token_cached  evt_1',
      '2026-11-25 11:59:00Z  tool.denied           alice@acme.example    through frontend-app  agent Helper (named by the application), tool whoami  refused x  evt_2',
    ].join('\n')}\n`,
  ]);
  expect(queriesOf(sent)).toEqual([{ limit: '20' }]);
});

it.each([
  [
    'a proven agent',
    { details: { outcome: 'granted', agent_authenticated: true } },
    'through frontend-app  agent Helper (proven), tool whoami  allowed',
  ],
  [
    'a call that failed',
    { action: 'tool.failed', details: { outcome: 'unavailable', rule: 'unavailable' } },
    'tool whoami  failed unavailable  evt_1',
  ],
  [
    'a call whose tool reports an error',
    { details: { outcome: 'tool_error', rule: 'tool_failed' } },
    'tool whoami  allowed tool_failed  evt_1',
  ],
  [
    'the agent of a session',
    {
      action: 'session.opened',
      targets: [{ type: 'agent', id: 'agt_1', name: 'Helper' }],
      details: { renewable: true, agent_authenticated: true },
    },
    'through frontend-app  agent Helper (proven)  evt_1',
  ],
  [
    'the name of an MCP client, and why its session ended',
    {
      action: 'session.ended',
      targets: [],
      context: { client_id: 'lcd_1' },
      details: { reason: 'signed_out', client_name: 'Cursor' },
    },
    'through MCP client Cursor (lcd_1)  signed_out  evt_1',
  ],
  [
    'what an examination found',
    { action: 'delegation.examined', details: { status: 'fail', fault: 'exchange', id_token_hash: 'x' } },
    'tool whoami  fail exchange  evt_1',
  ],
  [
    'what was changed',
    {
      action: 'connector.updated',
      details: null,
      changes: {
        enabled: { from: true, to: false },
        scopes: { from: null, to: ['a'] },
        issuer: { from: null, to: null },
        name: { from: 'n'.repeat(41), to: { length: 900, sha256: 'x', excerpt: 'Notes' } },
      },
    },
    `whoami  enabled true → false, scopes none → ["a"], name ${'n'.repeat(40)}… → Notes  evt_1`,
  ],
  [
    'a new thing without its values',
    { action: 'connector.created', details: null, changes: { enabled: { from: null, to: true } } },
    'tool whoami  evt_1',
  ],
  [
    'an agent that somebody changed',
    { action: 'agent.updated', context: { client_id: null }, details: null },
    'alice@acme.example    agent Helper, tool whoami  evt_1',
  ],
])('shows %s', async (_case, changes, line) => {
  const { stdout } = await runTyped(['audit', 'tail'], {
    routes: withEvents(page([event('evt_1', changes)])),
  });
  expect(stdout).toContain(line);
});

it('prints one JSON value per line with --json', async () => {
  const { stdout } = await runTyped(['audit', 'tail', '--json'], {
    routes: withEvents(page([event('evt_2'), event('evt_1')])),
  });
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).id),
  ).toEqual(['evt_1', 'evt_2']);
});

it.each([
  [['--since', '10m'], { from: '2026-11-25T11:50:00.000Z', limit: '100' }],
  [['--since', '2026-11-24'], { from: '2026-11-24T00:00:00.000Z', limit: '100' }],
  [['--since', '1d', '--lines', '5'], { from: '2026-11-24T12:00:00.000Z', limit: '5' }],
  [['--until', '2026-11-24'], { to: '2026-11-24T00:00:00.000Z', limit: '20' }],
  [['--by', 'alice@acme.example'], { actor_email: 'alice@acme.example', limit: '20' }],
  [['--by', 'user_alice'], { actor_id: 'user_alice', limit: '20' }],
  [['--agent', 'agt_1'], { target_id: 'agt_1', limit: '20' }],
  [['--tool', 'whoami'], { target_id: 'whoami', limit: '20' }],
])('sends the filters of %j to the API', async (args, query) => {
  const { code, sent } = await runTyped(['audit', 'tail', ...args], { routes: withEvents(page([])) });
  expect([code, queriesOf(sent)]).toEqual([0, [query]]);
});

const withAgents = (...names: string[]): Routes => ({
  ...withEvents(page([])),
  [`GET ${API}/api/v1/agents`]: page(names.map((name, index) => ({ id: `agt_${index}`, name }))),
});

it('takes the name of an agent', async () => {
  const { sent } = await runTyped(['audit', 'tail', '--agent', 'Helper'], {
    routes: withAgents('Other', 'Helper'),
  });
  expect(queriesOf(sent)).toEqual([{ target_id: 'agt_1', limit: '20' }]);
});

it.each([
  ['that no agent has', ['Other'], 'No agent is named Helper.', 'legate audit tail --help'],
  [
    'that two agents have',
    ['Helper', 'Helper'],
    'Several agents are named Helper: agt_0, agt_1.',
    'legate audit tail --agent agt_0',
  ],
])('exits with 2 for a name %s', async (_case, names, message, next) => {
  const { code, stderr, sent } = await runTyped(['audit', 'tail', '--agent', 'Helper'], {
    routes: withAgents(...names),
  });
  expect([code, queriesOf(sent)]).toEqual([2, []]);
  expect(stderr).toContain(`Error: ${message}`);
  expect(stderr).toContain(`Next: ${next}\n`);
});

it('keeps the filters in the suggestion to look further back', async () => {
  const { stderr } = await runTyped(['audit', 'tail', '--tool', 'whoami', '--by', 'bob@acme.example'], {
    routes: withEvents(page([])),
  });
  expect(stderr).toContain('Next: legate audit tail --since 30d --by bob@acme.example --tool whoami\n');
});

it.each([
  ['--by', 'bob@acme.example', 'If the trail does not have the address of a user, use --by with their id.'],
  ['--by', 'nobody', 'There may be no user with the id nobody.'],
  ['--tool', 'reference_whoami', 'If reference is the short name of a connector, use --tool whoami.'],
])('explains why %s %s may find no events', async (option, value, hint) => {
  const { stderr } = await runTyped(['audit', 'tail', option, value], { routes: withEvents(page([])) });
  expect(stderr).toContain(`No events. ${hint}\n`);
});

it('acts as the user that --user names', async () => {
  const { stderr } = await runTyped(['audit', 'tail', '--user', 'bob@acme.example'], {
    routes: withEvents(page([])),
  });
  expect(stderr).toContain('bob@acme.example');
  expect(stderr).toContain('Next: legate audit tail --since 30d --user bob@acme.example\n');
});

it('filters by an agent and a tool together, which the API cannot do', async () => {
  const other = event('evt_2', { targets: [{ type: 'agent', id: 'agt_1', name: null }] });
  const { stdout } = await runTyped(['audit', 'tail', '--agent', 'agt_1', '--tool', 'whoami', '--json'], {
    routes: withEvents(page([other, event('evt_1')])),
  });
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).id),
  ).toEqual(['evt_1']);
});

it('follows the trail by the id of the last event, until it is interrupted', async () => {
  const interruption = new AbortController();
  const waited: number[] = [];
  const answers = [[event('evt_1')], [event('evt_2'), event('evt_3')], [], [event('evt_4')]];
  const { code, stdout, sent } = await runTyped(['audit', 'tail', '--follow', '--json'], {
    routes: withEvents(() => page(answers.shift() ?? [])),
    io: {
      signal: interruption.signal,
      wait: async (ms) => {
        if (answers.length === 0) interruption.abort(new Error('Ctrl-C'));
        interruption.signal.throwIfAborted();
        waited.push(ms);
      },
    },
  });
  expect(code).toBe(130);
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).id),
  ).toEqual(['evt_1', 'evt_2', 'evt_3', 'evt_4']);
  expect(queriesOf(sent).map(({ after }) => after)).toEqual([undefined, 'evt_1', 'evt_3', 'evt_3']);
  expect(waited).toEqual([2000, 2000, 2000]);
});

it('follows from the newest event of all if no event matches the filters yet', async () => {
  const interruption = new AbortController();
  const { sent } = await runTyped(['audit', 'tail', '--follow', '--tool', 'other'], {
    routes: withEvents(({ url }: Sent) => page(url.includes('target_id') ? [] : [event('evt_7')])),
    io: {
      signal: interruption.signal,
      wait: async () => {
        if (queries++ > 0) interruption.abort(new Error('Ctrl-C'));
        interruption.signal.throwIfAborted();
      },
    },
  });
  expect(queriesOf(sent)).toEqual([
    { limit: '20', target_id: 'other' },
    { limit: '1' },
    { limit: '100', target_id: 'other', after: 'evt_7' },
  ]);
});
let queries = 0;

it('follows only new events with --lines 0', async () => {
  const interruption = new AbortController();
  const answers = [[event('evt_1')], [event('evt_2')]];
  const { stdout } = await runTyped(['audit', 'tail', '--follow', '--lines', '0', '--json'], {
    routes: withEvents(() => page(answers.shift() ?? [])),
    io: {
      signal: interruption.signal,
      wait: async () => {
        if (answers.length === 0) interruption.abort(new Error('Ctrl-C'));
        interruption.signal.throwIfAborted();
      },
    },
  });
  expect(stdout.trim().split('\n')).toEqual([expect.stringContaining('"evt_2"')]);
});

it.each([
  [['--since', 'soon'], 'soon is not a time'],
  [['--since', '2026-13-45'], '2026-13-45 is not a time'],
  [['--until', 'soon'], 'soon is not a time'],
  [['--until', '1h', '--follow'], 'use either it or --follow'],
  [['--lines', '-1'], '--lines is a number from 0 to 1000'],
  [['--lines', 'ten'], '--lines is a number from 0 to 1000'],
])('exits with 2 for %j', async (args, message) => {
  const { code, sent, stderr } = await runTyped(['audit', 'tail', ...args]);
  expect([code, sent, stderr]).toEqual([2, [], expect.stringContaining(message)]);
});

it('suggests another token if this one has too few scopes', async () => {
  const routes = withEvents(problem(403, { code: 'insufficient_scope', detail: 'Not with this key.' }));
  const { code, stderr } = await runTyped(['audit', 'tail'], { routes, env: { LEGATE_TOKEN: 'lgt_key' } });
  expect([code, stderr]).toEqual([4, 'Error: Not with this key.\nNext: unset LEGATE_TOKEN\n']);
});

it('exits with 4 if the role of the user does not permit it', async () => {
  const routes = withEvents(problem(403, { code: 'insufficient_permission', detail: 'Owners only.' }));
  const { code, stderr } = await runTyped(['audit', 'tail'], { routes });
  expect([code, stderr]).toEqual([4, expect.stringContaining('Error: Owners only.\nNext: legate whoami\n')]);
});
