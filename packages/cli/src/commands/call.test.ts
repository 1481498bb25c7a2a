import { describe, expect, it } from '@jest/globals';
import { HUB, hubWith, problem, runTyped } from '../testing/run-typed.ts';

const tool = (approval?: string) => ({
  name: 'create',
  mcp_name: 'notes_create',
  inputSchema: { type: 'object' },
  ...(approval && { _meta: { 'legate/approval': approval } }),
});
const CALL = `POST ${HUB}/api/v1/connectors/con_notes/tools/create/call`;
const routesWith = (answer: object, approval?: string) => hubWith([tool(approval)], { [CALL]: answer });
const RESULT = {
  content: [
    { type: 'text', text: '{"id":1}' },
    { type: 'image', mimeType: 'image/png', data: 'AA==' },
  ],
};

const calls = (sent: readonly { method: string; url: string }[]) =>
  sent.filter(({ method, url }) => `${method} ${url}` === CALL).length;

it('calls the tool with its arguments, and prints its result', async () => {
  const { code, stdout, sent } = await runTyped(['call', 'notes_create', '{"text":"Hi"}'], {
    routes: routesWith(RESULT),
  });
  expect([code, stdout]).toEqual([0, '{\n  "id": 1\n}\n[image image/png]\n']);
  expect(JSON.parse(sent.at(-1)?.body ?? '')).toEqual({ arguments: { text: 'Hi' } });
});

it('reads the arguments from stdin', async () => {
  const { sent } = await runTyped(['call', 'notes_create', '-'], {
    routes: routesWith(RESULT),
    stdin: '{"a":1}\n',
  });
  expect(JSON.parse(sent.at(-1)?.body ?? '')).toEqual({ arguments: { a: 1 } });
});

it('prints the whole outcome with --json', async () => {
  const answer = Response.json(
    { ...RESULT, structuredContent: { id: 1 } },
    { headers: { 'Legate-Call-Id': 'evt_1', 'Legate-Acts-As': 'user' } },
  );
  const { stdout } = await runTyped(['call', 'notes_create', '--json'], { routes: routesWith(answer) });
  expect(JSON.parse(stdout)).toEqual({
    is_error: false,
    content: RESULT.content,
    structured_content: { id: 1 },
    acts_as: 'user',
    call_id: 'evt_1',
  });
});

it('exits with 1 when the tool server reports an error', async () => {
  const answer = () =>
    Response.json(
      { content: [{ type: 'text', text: 'No paper.' }], isError: true },
      { headers: { 'Legate-Call-Id': 'evt_1' } },
    );
  const { code, stdout, stderr } = await runTyped(['call', 'notes_create'], { routes: routesWith(answer) });
  expect([code, stdout]).toEqual([1, 'No paper.\n']);
  expect(stderr).toContain('Error: The tool server reported an error.\nNext: legate explain evt_1\n');
});

describe('a tool that needs approval', () => {
  it.each(['required', 'some-later-value'])('is called after the user confirms: %s', async (approval) => {
    const { code, asked, stderr, sent } = await runTyped(['call', 'notes_create', '{"text":"Hi"}'], {
      routes: routesWith(RESULT, approval),
      answer: 'y',
    });
    expect([code, asked, calls(sent)]).toEqual([0, ['Allow it? (y/N) '], 1]);
    expect(stderr).toContain('notes_create (notes) would be called with\n{\n  "text": "Hi"\n}\n');
  });

  it.each(['', 'n', 'yeah'])('is not called after the input %j', async (answer) => {
    const { code, sent, stderr } = await runTyped(['call', 'notes_create'], {
      routes: routesWith(RESULT, 'required'),
      answer,
    });
    expect([code, calls(sent), stderr]).toEqual([4, 0, expect.stringContaining('you did not allow it')]);
  });

  it('is not called without a terminal, unless --yes is given', async () => {
    const routes = routesWith(RESULT, 'required');
    const refused = await runTyped(['call', 'notes_create', '{"a":"b c"}'], { routes });
    expect([refused.code, calls(refused.sent)]).toEqual([4, 0]);
    expect(refused.stderr).toContain(`Next: legate call notes_create '{"a":"b c"}' --yes\n`);
    const approved = await runTyped(['call', 'notes_create', '--yes'], { routes });
    expect([approved.code, approved.asked, calls(approved.sent)]).toEqual([0, [], 1]);
  });
});

it('calls without a prompt if the approval is undecided or not needed', async () => {
  for (const approval of [undefined, 'not-required'])
    expect(await runTyped(['call', 'notes_create'], { routes: routesWith(RESULT, approval) })).toMatchObject({
      code: 0,
      asked: [],
    });
});

it.each([
  ['no JSON', ['notes_create', '{'], 'The arguments are not JSON.'],
  ['an array', ['notes_create', '[]'], 'The arguments of a tool are a JSON object'],
  [
    'an unknown tool',
    ['nope'],
    'There is no tool nope that you may call, so nothing was called, and the audit trail has no event.\n',
  ],
  ['half of a name', ['create'], 'has no event. Did you mean notes_create?\n'],
])('exits with 2 for %s', async (_case, args, message) => {
  const { code, sent, stderr } = await runTyped(['call', ...args], { routes: routesWith(RESULT) });
  expect([code, calls(sent), stderr]).toEqual([2, 0, expect.stringContaining(message)]);
});

it('keeps the user and the agent in the next command', async () => {
  const asBob = ['--user', 'bob@acme.example', '--agent', 'agt_1'];
  const { stderr } = await runTyped(['call', 'nope', ...asBob], { routes: routesWith(RESULT) });
  expect(stderr).toContain('Next: legate tools --user bob@acme.example --agent agt_1\n');
  const failed = () =>
    Response.json({ ...RESULT, isError: true }, { headers: { 'Legate-Call-Id': 'evt_1' } });
  const again = await runTyped(['call', 'notes_create', ...asBob], { routes: routesWith(failed) });
  expect(again.stderr).toContain('Next: legate explain evt_1 --user bob@acme.example --agent agt_1\n');
});

it.each([
  ['denied', 403, { code: 'delegation_denied' }, 4, 'legate explain evt_9'],
  ['misconfigured', 502, { code: 'connector_misconfigured' }, 1, 'legate doctor --connector con_notes'],
  ['unavailable', 503, { code: 'tool_server_unavailable' }, 5, 'legate call notes_create'],
  ['invalid', 400, { code: 'invalid_arguments' }, 2, 'legate tools'],
  ['sign_in_required', 401, { code: 'signed_out' }, 3, 'legate whoami --user alice@acme.example'],
])(
  'reports that a call is %s, and suggests the next command',
  async (kind, status, members, exitCode, next) => {
    const answer = () => problem(status, { detail: 'So it is.', ...members }, { 'Legate-Call-Id': 'evt_9' });
    const { code, stdout, stderr } = await runTyped(['call', 'notes_create', '--json'], {
      routes: routesWith(answer),
    });
    const { error } = JSON.parse(stdout);
    expect([code, error.kind]).toEqual([exitCode, kind]);
    expect(error.next.startsWith(next)).toBe(true);
    expect(stderr).toContain('Error: So it is.');
  },
);

const HINT = { type: 'legate/administrator', where: 'identity_provider' };

it.each([
  [
    'identity_provider',
    403,
    { code: 'delegation_denied', authorization: { remediationHints: [HINT] } },
    'legate doctor --connector con_notes',
  ],
  [
    'policy of the identity provider',
    403,
    {
      code: 'delegation_denied',
      detail: 'The identity provider\'s policy does not allow this user to use connector "con_notes".',
      authorization: { remediationHints: [HINT] },
    },
    'ask an administrator of the identity provider to allow it',
  ],
  ['connector', 502, { code: 'connector_misconfigured' }, 'legate doctor --connector con_notes'],
  ['organization', 403, { code: 'agent_unknown' }, 'legate whoami'],
])(
  'suggests the command that helps if the list of tools is refused by the %s',
  async (_who, status, members, next) => {
    const routes = hubWith([], {
      [`GET ${HUB}/api/v1/connectors/con_notes/tools`]: problem(status, { detail: 'No.', ...members }),
    });
    const { stderr } = await runTyped(['call', 'notes_create'], { routes });
    expect(stderr).toContain(`Next: ${next}\n`);
  },
);

it.each([
  ['tools', '--agent', 'agt_foo'],
  ['call', 'notes_create', '--agent', 'agt_foo'],
  ['whoami', '--hub', '--agent', 'agt_foo'],
])('names an unknown agent, and suggests how to list the agents: %s', async (...typed) => {
  const routes = hubWith([], {
    [`GET ${HUB}/api/v1/connectors`]: problem(403, { code: 'agent_unknown', detail: 'No such agent.' }),
  });
  expect(await runTyped(typed, { routes })).toMatchObject({
    code: 4,
    stderr: expect.stringContaining(
      'Error: Your organization has no agent agt_foo.\nNext: curl http://localhost:4000/api/v1/agents -H "Authorization: Bearer $(legate token --api)"\n',
    ),
  });
});

it.each([
  ['Away. Try again.', 'Away. Try again in 5 s.'],
  ['Away.', 'Away. Try again in 5 s.'],
  ['Too many. Try again in 5 s.', 'Too many. Try again in 5 s.'],
])('says once when to try again: %s', async (detail, text) => {
  const answer = () =>
    problem(503, { code: 'tool_server_unavailable', detail, retry_after: 5 }, { 'Retry-After': '5' });
  const { stderr } = await runTyped(['call', 'notes_create'], { routes: routesWith(answer) });
  expect(stderr).toContain(`Error: ${text}\n`);
});

it('suggests legate whoami for a token without an organization, since another sign-in would not help', async () => {
  const answer = problem(401, {
    code: 'organization_id_required',
    reason: 'no_organization',
    detail: 'None.',
  });
  const { code, stderr } = await runTyped(['call', 'notes_create'], { routes: routesWith(answer) });
  expect(code).toBe(3);
  expect(stderr).toContain(
    'Error: None. If the identity provider puts it into another claim, set ORGANIZATION_CLAIM or ORGANIZATION_RULE at the hub.\nNext: legate whoami\n',
  );
});

it('prints the link to connect an account', async () => {
  const routes = hubWith([tool()], {
    [CALL]: problem(403, {
      code: 'connection_required',
      detail: 'Not connected.',
      connector_id: 'con_notes',
    }),
    [`POST ${HUB}/api/v1/connectors/con_notes/connections`]: {
      authorize_url: 'https://as.example/authorize?x',
      expires_at: '2026-11-25T12:02:00.000Z',
    },
  });
  const { code, stderr } = await runTyped(['call', 'notes_create'], { routes });
  expect(code).toBe(3);
  expect(stderr).toContain(
    'Error: Not connected. Connect your account in your browser: https://as.example/authorize?x\nNext: legate call notes_create\n',
  );
});

it('reports when a tool ran with the credential of the connector', async () => {
  const answer = Response.json(RESULT, { headers: { 'Legate-Acts-As': 'service' } });
  const { stdout } = await runTyped(['call', 'notes_create'], { routes: routesWith(answer) });
  expect(stdout).toContain('The tool ran with the credential of the connector, not as you.\n');
});

it('names each invalid field once', async () => {
  const errors = [
    { pointer: '/arguments', detail: 'Must be an object.' },
    { header: 'Legate-Agent-Id', detail: 'Must be the id of an agent.' },
  ];
  const answer = () => problem(400, { code: 'validation_failed', detail: '2 fields are invalid.', errors });
  const { code, stderr } = await runTyped(['call', 'notes_create'], { routes: routesWith(answer) });
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining(
      'Error: 2 fields are invalid. /arguments: Must be an object. Legate-Agent-Id: Must be the id of an agent.\nNext: ',
    ),
  ]);
});

it('suggests a request as the user of the command, without its agent', async () => {
  const routes = hubWith([], {
    [`GET ${HUB}/api/v1/connectors`]: problem(403, { code: 'agent_unknown', detail: 'No such agent.' }),
  });
  const { stderr } = await runTyped(['tools', '--agent', 'agt_foo', '--user', 'bob@acme.example'], {
    routes,
  });
  expect(stderr).toContain('$(legate token --api --user bob@acme.example)"\n');
});
