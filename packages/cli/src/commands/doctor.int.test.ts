import { afterEach, expect, it } from '@jest/globals';
import { type Faults, startExemplaryToolServer, type TestServer } from '@legate/tool-server-testing';
import { HUB, hubWith, problem, runTyped } from '../testing/run-typed.ts';

let server: TestServer | undefined;
afterEach(async () => {
  await server?.stop();
  server = undefined;
});

/** The actual time, which the tool server uses too, instead of the fixed time of other tests. */
const io = { clock: () => new Date() };

async function start(faults: Faults = {}): Promise<string> {
  server = await startExemplaryToolServer(faults);
  return `${server.url}/mcp`;
}

it('reports no fault for a correct server', async () => {
  const { code, stdout, stderr } = await runTyped(['doctor', await start()], { io });
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain('No fault.');
  expect(stdout).toMatch(/skip {2}token_exchange/);
});

it('starts with the first fault and its remedy, and exits with 1', async () => {
  const url = await start({ resourceMetadata: (base) => ({ resource: `${base}/mcp/` }), secondsAhead: 600 });
  const { code, stdout } = await runTyped(['doctor', url], { io });
  expect(code).toBe(1);
  const [, , first, remedy] = stdout.split('\n');
  expect(first).toMatch(/^First fault: resource_identifier\. .*trailing slash/);
  expect(remedy).toMatch(/^Remedy: Set "resource"/);
  expect(stdout).toMatch(/FAIL {2}clock/);
});

it('colours the output on a terminal, but not with NO_COLOR', async () => {
  const url = await start();
  expect((await runTyped(['doctor', url], { io, isTTY: true, env: { NO_COLOR: '' } })).stdout).toContain(
    '\u001b[32m',
  );
  expect((await runTyped(['doctor', url], { io, isTTY: true })).stdout).not.toContain('\u001b');
});

it('writes the report of the API as JSON', async () => {
  const url = await start({ serverMetadata: () => ({ grant_types_supported: [] }) });
  const { code, stdout } = await runTyped(['doctor', url, '--json'], { io });
  const report = JSON.parse(stdout);
  expect([code, report.url, report.status, report.first_fault.check]).toEqual([1, url, 'fail', 'grant']);
  expect(report.checks.at(-1)).toMatchObject({ check: 'tools_list', status: 'skipped' });
});

it.each([
  [[], 'Name a URL or a connector.'],
  [['https://a.example', '--connector', 'con_1'], 'Name a URL or a connector.'],
  [
    ['https://a.example', '--redeem'],
    '--redeem needs the address of a development identity provider in --issuer.',
  ],
  [['no url'], 'no url is not the URL of a tool server.'],
  [['ftp://a.example'], 'ftp://a.example is not the URL of a tool server.'],
  [['https://a.example/#x'], 'https://a.example/#x is not the URL of a tool server.'],
  [
    ['https://a.example', 'https://b.example'],
    "Too many arguments for 'doctor'. Expected 1 argument but got 2.",
  ],
  [['--fast', 'https://a.example'], "Unknown option '--fast'."],
])('exits with 2 for the arguments %j', async (args, fault) => {
  const { code, stdout, stderr } = await runTyped(['doctor', ...args]);
  expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(`Error: ${fault}\n`)]);
});

it('suggests the identity provider of the development stack for the URL that was typed', async () => {
  const { code, stderr } = await runTyped(['doctor', 'http://localhost:5111/mcp', '--redeem'], {
    env: { MOCK_IDP_PORT: '5102' },
  });
  const next = 'legate doctor http://localhost:5111/mcp --redeem --issuer http://localhost:5102';
  expect([code, stderr]).toEqual([2, expect.stringContaining(`Next: ${next}\n`)]);
});

it('exits with 2 if --redeem has no secret of the client', async () => {
  const typed = ['doctor', await start(), '--redeem', '--issuer', 'http://localhost:4002'];
  const { code, stdout, stderr } = await runTyped([...typed, '--client-id', 'hub-2'], { io });
  const fault = 'Error: CLIENT_SECRET is not set: the secret of the client hub-2 at this tool server.\n';
  expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(fault)]);
});

it('exits with 1 if --redeem has tried nothing because the identity provider is unreachable', async () => {
  const url = await start();
  const gone = await startExemplaryToolServer();
  await gone.stop();
  const { code, stdout } = await runTyped(['doctor', url, '--redeem', '--issuer', gone.url], {
    io,
    env: { CLIENT_SECRET: 'a-secret' },
  });
  expect(code).toBe(1);
  const [, , first, remedy] = stdout.split('\n');
  expect(first).toBe(
    `First fault: good. The identity provider minted no ID-JAG: ${gone.url} cannot be connected to (ECONNREFUSED).`,
  );
  expect(remedy).toMatch(/^Remedy: Check --issuer/);
  expect(stdout).not.toContain('No fault');
});

it('exits with 2 for an invalid OUTBOUND_ALLOW', async () => {
  const { code, stderr } = await runTyped(['doctor', await start()], {
    io,
    env: { OUTBOUND_ALLOW: '10.0.0.0' },
  });
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('OUTBOUND_ALLOW is not a list of CIDR blocks.'),
  ]);
});

const ROUTE = `POST ${HUB}/api/v1/connectors/con_notes/doctor`;
const FAULT = {
  check: 'grant',
  status: 'fail',
  detail: 'No\u001b[31m grant.',
  remedy: 'Add it.',
  evidence: { seen: ['a', 'b'] },
};

it('lets the hub examine a connector, and removes control characters from its report', async () => {
  const answer = {
    status: 'fail',
    first_fault: FAULT,
    checks: [{ check: 'reachable', status: 'ok', detail: 'Yes.' }, FAULT],
  };
  const { code, stdout } = await runTyped(['doctor', '--connector', 'con_notes'], {
    routes: hubWith([], { [ROUTE]: answer }),
  });
  expect(code).toBe(1);
  expect(stdout).toMatch(/^con_notes\n\nFirst fault: grant\. No\[31m grant\.\nRemedy: Add it\.\n/);
  expect(stdout).toContain('seen: a, b');
});

it.each([
  ['skipped', /^con_notes\n\nNo delegation was tried: .*LEGATE_TOKEN.*\nNo fault in the other checks\.\n/],
  ['ok', /^con_notes\n\nNo fault\.\n/],
])('says at once whether a delegation was tried: tools_list %s', async (status, says) => {
  const checks = [
    { check: 'reachable', status: 'ok' },
    { check: 'tools_list', status },
  ];
  const { code, stdout } = await runTyped(['doctor', '--connector', 'con_notes'], {
    routes: hubWith([], { [ROUTE]: { status: 'ok', first_fault: null, checks } }),
  });
  expect([code, stdout]).toEqual([0, expect.stringMatching(says)]);
});

it('tells a user who may not see the remedy of a fault who may', async () => {
  const fault = { check: 'grant', status: 'fail' };
  const { stdout } = await runTyped(['doctor', '--connector', 'con_notes'], {
    routes: hubWith([], { [ROUTE]: { status: 'fail', first_fault: fault, checks: [fault] } }),
  });
  expect(stdout).toMatch(/Remedy: Ask an administrator .*owner or admin.*claim "roles"/);
  expect(stdout).not.toContain('whoami');
});

it('shows only which checks pass if the user may not see the details', async () => {
  const answer = { status: 'ok', first_fault: null, checks: [{ check: 'reachable', status: 'ok' }] };
  const { code, stdout } = await runTyped(['doctor', '--connector', 'con_notes'], {
    routes: hubWith([], { [ROUTE]: answer }),
  });
  expect([code, stdout]).toEqual([
    0,
    expect.stringContaining('Administrators of the organization see more.'),
  ]);
});

it.each([
  [
    429,
    { code: 'rate_limit_exceeded', detail: 'Six a minute.', retry_after: 9 },
    'Six a minute. Try again in 9 s.',
  ],
  [409, { code: 'examination_running', detail: 'One is running.' }, 'One is running.'],
])('exits with 5 if the hub postpones the examination: %i', async (status, members, message) => {
  const routes = hubWith([], { [ROUTE]: problem(status, members) });
  const { code, stderr } = await runTyped(['doctor', '--connector', 'con_notes'], { routes });
  const stderrText = expect.stringContaining(
    `Error: ${message}\nNext: legate doctor --connector con_notes\n`,
  );
  expect([code, stderr]).toEqual([5, stderrText]);
});

it('lets the hub examine a connector by its short name', async () => {
  const answer = { status: 'ok', first_fault: null, checks: [] };
  const { code, stdout } = await runTyped(['doctor', '--connector', 'notes', '--json'], {
    routes: hubWith([], { [ROUTE]: answer }),
  });
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { connector_id: 'con_notes', status: 'ok' }]);
});

const OTHER = `POST ${HUB}/api/v1/connectors/con_other/doctor`;

it('reports what the hub says of a connector that it cannot use, and so does not list', async () => {
  const routes = hubWith([], {
    [OTHER]: problem(502, { code: 'connector_misconfigured', detail: 'Its secret cannot be read.' }),
  });
  const { stderr } = await runTyped(['doctor', '--connector', 'con_other'], { routes });
  expect(stderr).toContain('Error: Its secret cannot be read.');
});

it('lists the connectors if the hub does not know the one that was typed', async () => {
  const routes = hubWith([], { [OTHER]: problem(404, { code: 'connector_not_found', detail: 'None.' }) });
  const { code, stderr } = await runTyped(['doctor', '--connector', 'con_other'], { routes });
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining(
      'Error: No connector has the id or short name con_other. The connectors are: notes (con_notes).\nNext: legate connectors list\n',
    ),
  ]);
});
