import { expect, it } from '@jest/globals';
import type { Io } from '../../terminal/io.ts';
import { API, API_TOKEN, DEVELOPMENT, problem, type Routes, runTyped } from '../../testing/run-typed.ts';

const NOTES = {
  id: 'con_notes',
  name: 'Notes',
  slug: 'notes',
  resource_url: 'https://notes.example',
  auth_method: 'id-jag',
  fallback: [],
  scopes: ['notes:read'],
  client_id: 'hub',
  has_secret: true,
  issuer: null,
  exchange_audience: null,
  token_audience: null,
  acknowledge_shared_audience: false,
  enabled: true,
  status: 'ready',
  last_error: null,
  updated_at: '2026-11-25T11:00:00.000Z',
};
const LIST = `GET ${API}/api/v1/connectors`;
const ONE = `${API}/api/v1/connectors/con_notes`;
const page = (data: object[], offset: number, hasMore: boolean) => ({
  data,
  pagination: { total: 2, limit: 1, offset, has_more: hasMore },
});
const withRoutes = (routes: Routes): Routes => ({ ...DEVELOPMENT, ...routes });

it.each([[['connectors']], [['connectors', 'list']]])('lists all pages with %j', async (args) => {
  const routes = withRoutes({
    [`${LIST}?limit=100`]: page([NOTES], 0, true),
    [`${LIST}?limit=100&offset=1`]: page([{ ...NOTES, id: 'con_2', enabled: false }], 1, false),
  });
  const { code, stdout, sent } = await runTyped(args, { routes });
  expect([code, stdout]).toEqual([
    0,
    `${[
      'ID         SHORT NAME  NAME   METHOD  STATUS    TOOL SERVER',
      'con_notes  notes       Notes  id-jag  ready     https://notes.example',
      'con_2      notes       Notes  id-jag  disabled  https://notes.example',
    ].join('\n')}\n`,
  ]);
  expect(sent.at(-1)?.headers.get('authorization')).toBe(`Bearer ${API_TOKEN}`);
});

it('prints an array with --json', async () => {
  const { stdout } = await runTyped(['connectors', '--json'], {
    routes: withRoutes({ [LIST]: page([NOTES], 0, false) }),
  });
  expect(JSON.parse(stdout)).toEqual([NOTES]);
});

it.each(['con_notes', 'notes'])('shows a connector by its id or short name: %s', async (given) => {
  const { code, stdout } = await runTyped(['connectors', 'get', given], {
    routes: withRoutes({ [LIST]: page([NOTES], 0, false) }),
  });
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/^id +con_notes\nname +Notes\n[\s\S]*secret +set\nstatus +ready\n/),
  ]);
});

it('shows for whom the tokens of an exchange are', async () => {
  const exchange = {
    auth_method: 'token-exchange',
    exchange_audience: 'api://notes',
    acknowledge_shared_audience: true,
  };
  const show = async (change: object) =>
    (
      await runTyped(['connectors', 'get', 'notes'], {
        routes: withRoutes({ [LIST]: page([{ ...NOTES, ...change }], 0, false) }),
      })
    ).stdout;
  expect(await show(exchange)).toMatch(
    /\naudience to request +api:\/\/notes\naudience in the token +api:\/\/notes\naccepted elsewhere +possible, and acknowledged\n/,
  );
  expect(await show({ ...exchange, token_audience: 'a-client' })).toMatch(
    /\naudience in the token +a-client\n/,
  );
  expect(await show({})).not.toContain('audience');
});

const MAIL = { ...NOTES, id: 'con_mail', slug: 'mail' };

it.each<[string, string, object[], string]>([
  [
    'unknown',
    'billing',
    [NOTES, MAIL],
    'No connector has the id or short name billing. The connectors are: notes (con_notes), mail (con_mail).',
  ],
  [
    'unknown where there is none',
    'billing',
    [],
    'No connector has the id or short name billing. There are no connectors.',
  ],
  [
    'ambiguous',
    'notes',
    [NOTES, { ...MAIL, id: 'notes' }],
    'Several connectors have the id or short name notes. The connectors are: notes (con_notes), mail (notes).',
  ],
  [
    'unknown among many',
    'billing',
    Array.from({ length: 22 }, () => NOTES),
    `No connector has the id or short name billing. The connectors are: ${'notes (con_notes), '.repeat(20)}2 more.`,
  ],
])('lists the connectors if the name is %s', async (_case, given, known, message) => {
  const routes = withRoutes({ [LIST]: page(known, 0, false) });
  for (const command of ['get', 'remove']) {
    const { code, stdout, sent } = await runTyped(['connectors', command, given, '--json'], { routes });
    expect([code, JSON.parse(stdout)]).toEqual([
      2,
      { error: { code: 'connector_not_found', message, next: 'legate connectors list' } },
    ]);
    expect(sent.some(({ method }) => method === 'DELETE')).toBe(false);
  }
});

it('adds a connector, with a secret from stdin', async () => {
  const typed = [
    'connectors',
    'add',
    'https://notes.example',
    '--name',
    'Notes',
    '--client-id',
    'hub',
    '--scope',
    'a',
    '--scope',
    'b',
    '--secret-stdin',
  ];
  const routes = withRoutes({ [`POST ${API}/api/v1/connectors`]: NOTES });
  const { code, stdout, stderr, sent } = await runTyped(typed, { routes, stdin: 'the-secret-itself\n' });
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^id +con_notes/)]);
  expect(stderr).toContain('Next: legate doctor --connector con_notes\n');
  expect(stdout + stderr).not.toContain('the-secret-itself');
  expect(JSON.parse(sent.at(-1)?.body ?? '')).toMatchObject({
    name: 'Notes',
    resource_url: 'https://notes.example',
    auth_method: 'id-jag',
    client_id: 'hub',
    scopes: ['a', 'b'],
    secret: 'the-secret-itself',
  });
  expect(sent.at(-1)?.headers.get('idempotency-key')).toMatch(/./);
});

it('asks for the secret at a terminal, without showing it', async () => {
  const routes = withRoutes({ [`POST ${API}/api/v1/connectors`]: NOTES });
  const questions: unknown[] = [];
  const ask: Io['ask'] = async (...question) => {
    questions.push(question);
    return 'the-secret-itself';
  };
  const typed = ['connectors', 'add', 'https://notes.example', '--name', 'Notes', '--secret-stdin'];
  const { sent } = await runTyped(typed, { routes, isTTY: true, io: { ask } });
  expect(questions).toEqual([['Secret of the client (it is not shown): ', { isHidden: true }]]);
  expect(JSON.parse(sent.at(-1)?.body ?? '')).toMatchObject({ secret: 'the-secret-itself' });
});

it('tells at a terminal how to end the JSON of a connector', async () => {
  const routes = withRoutes({ [`POST ${API}/api/v1/connectors`]: NOTES });
  const typed = ['connectors', 'add', '-'];
  const atTerminal = await runTyped(typed, { routes, stdin: '{}', isTTY: true });
  expect(atTerminal.stderr).toContain('then press Enter and Ctrl-D.');
  const fromPipe = await runTyped(typed, { routes, stdin: '{}' });
  expect(fromPipe.stderr).not.toContain('Ctrl-D');
});

it('suggests the connector that already has the resource', async () => {
  const refused = problem(409, {
    code: 'resource_already_registered',
    detail: 'The connector Notes (con_notes) has this resource_url.',
    connector: { id: 'con_notes', name: 'Notes' },
  });
  const routes = withRoutes({ [`POST ${API}/api/v1/connectors`]: refused });
  const typed = ['connectors', 'add', 'https://notes.example', '--name', 'Notes'];
  const { code, stderr } = await runTyped(typed, { routes });
  expect([code, stderr]).toEqual([2, expect.stringContaining('\nNext: legate connectors get con_notes\n')]);
});

it('explains the status pending', async () => {
  const { stdout } = await runTyped(['connectors', 'get', 'notes'], {
    routes: withRoutes({ [LIST]: page([{ ...NOTES, status: 'pending' }], 0, false) }),
  });
  expect(stdout).toContain('pending (not examined in the console yet; its tools can be called)\n');
});

it('adds a connector from JSON without changing it', async () => {
  const body = { name: 'Notes', resource_url: 'https://notes.example', auth_method: 'oauth-pkce' };
  const routes = withRoutes({ [`POST ${API}/api/v1/connectors`]: NOTES });
  const { sent } = await runTyped(['connectors', 'add', '-'], { routes, stdin: JSON.stringify(body) });
  expect(JSON.parse(sent.at(-1)?.body ?? '')).toEqual(body);
});

it.each([
  ['no name', ['https://notes.example'], '', 'The connector needs a name.'],
  ['no secret', ['https://notes.example', '--name', 'N', '--secret-stdin'], '\n', 'The secret is empty.'],
  ['no JSON', ['-'], 'name: Notes', 'stdin is not a JSON object.'],
  ['an array', ['-'], '[]', 'stdin is not a JSON object.'],
])('does not add a connector with %s', async (_case, args, stdin, message) => {
  const { code, sent, stderr } = await runTyped(['connectors', 'add', ...args], { stdin });
  expect([code, sent, stderr]).toEqual([2, [], expect.stringContaining(message)]);
});

const SECRET =
  'The connector needs a secret. Give it on stdin with --secret-stdin, because other users of the computer can see arguments.';
const CLIENT = { pointer: '/client_id', code: 'required', detail: 'Required for id-jag.' };
const NO_SECRET = { pointer: '/secret', code: 'required', detail: 'Send a secret, or enabled: false.' };
const ADD = 'legate connectors add https://a.example --name N';

it.each<[string, object[], string, string]>([
  ['a secret', [NO_SECRET], SECRET, `${ADD} --secret-stdin < secret.txt`],
  [
    'a secret and a client',
    [NO_SECRET, CLIENT],
    `${SECRET} --client-id: Required for id-jag.`,
    `${ADD} --client-id <id> --secret-stdin < secret.txt`,
  ],
  [
    'an acknowledgement',
    [
      {
        pointer: '/acknowledge_shared_audience',
        code: 'shared_audience_not_acknowledged',
        detail: 'Say true.',
      },
    ],
    'Other servers may accept the tokens, because their audience is not the URL. If you know that, say so.',
    `${ADD} --acknowledge-shared-audience`,
  ],
  [
    'a member without an option',
    [NO_SECRET, { pointer: '/service_kind', code: 'required', detail: 'Required.' }],
    `${SECRET} /service_kind: Required.`,
    'legate connectors add --help',
  ],
])('names the option that is missing: %s', async (_case, errors, message, next) => {
  const refused = problem(400, { code: 'validation_failed', detail: '1 field is invalid.', errors });
  const routes = withRoutes({ [`POST ${API}/api/v1/connectors`]: () => refused.clone() });
  const typed = ['connectors', 'add', 'https://a.example', '--name', 'N'];
  const { code, stderr } = await runTyped(typed, { routes });
  expect([code, stderr]).toEqual([2, expect.stringContaining(`Error: ${message}\nNext: ${next}\n`)]);
  const { stdout } = await runTyped([...typed, '--json'], { routes });
  expect(JSON.parse(stdout).error).toMatchObject({ code: 'validation_failed', status: 400, errors });
});

it('names the members of a request that was typed as JSON', async () => {
  const refused = problem(400, {
    code: 'validation_failed',
    detail: '1 field is invalid.',
    errors: [CLIENT],
  });
  const routes = withRoutes({ [`POST ${API}/api/v1/connectors`]: refused });
  const { stderr } = await runTyped(['connectors', 'add', '-'], { routes, stdin: '{}' });
  expect(stderr).toContain('Error: 1 field is invalid. /client_id: Required for id-jag.\n');
});

it.each([
  ['y', 1, 'Notes is deleted.\n'],
  ['n', 0, ''],
])('asks before it removes a connector: %s', async (answer, deletions, said) => {
  const routes = withRoutes({
    [LIST]: page([NOTES], 0, false),
    [`DELETE ${ONE}`]: () => new Response(null, { status: 204 }),
  });
  const { code, stdout, asked, sent } = await runTyped(['connectors', 'remove', 'con_notes'], {
    routes,
    answer,
  });
  expect([code, stdout, asked]).toEqual([0, said, ['Delete it? (y/N) ']]);
  expect(sent.filter(({ method }) => method === 'DELETE')).toHaveLength(deletions);
});

it('removes a connector in a script only with --yes', async () => {
  const routes = withRoutes({
    [LIST]: page([NOTES], 0, false),
    [`DELETE ${ONE}`]: () => new Response(null, { status: 204 }),
  });
  const refused = await runTyped(['connectors', 'remove', 'con_notes'], { routes });
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringContaining('Next: legate connectors remove con_notes --yes'),
  ]);
  expect(refused.sent.some(({ method }) => method === 'DELETE')).toBe(false);
  const { stdout } = await runTyped(['connectors', 'remove', 'con_notes', '--yes', '--json'], { routes });
  expect(JSON.parse(stdout)).toEqual({ id: 'con_notes', removed: true });
});
