import { expect, it } from '@jest/globals';
import { HUB, hubWith, ISSUER, problem, runTyped } from '../testing/run-typed.ts';

const SEARCH = {
  name: 'search',
  mcp_name: 'notes_search',
  description: 'Searches notes.\nSecond line.',
  inputSchema: { type: 'object' },
  _meta: { 'legate/approval': 'required' },
};

it('lists tools with the approval that is configured for the agent', async () => {
  const { code, stdout, sent } = await runTyped(['tools', '--agent', 'agt_1'], { routes: hubWith([SEARCH]) });
  expect([code, stdout]).toEqual([
    0,
    'TOOL          APPROVAL  WHAT IT DOES\nnotes_search  required  Searches notes. Second line.\n',
  ]);
  expect(sent.at(-1)?.headers.get('legate-agent-id')).toBe('agt_1');
});

it('has no column for approvals where none is decided', async () => {
  const { _meta, ...undecided } = SEARCH;
  const { stdout } = await runTyped(['tools'], { routes: hubWith([undecided]) });
  expect(stdout).toBe('TOOL          WHAT IT DOES\nnotes_search  Searches notes. Second line.\n');
});

it.each(['notes', 'con_notes'])('lists one connector by id or short name: %s', async (connector) => {
  const { stdout } = await runTyped(['tools', '--json', '--connector', connector], {
    routes: hubWith([SEARCH]),
  });
  expect(JSON.parse(stdout).tools).toHaveLength(1);
});

it('lists the connectors instead of the tools of one that does not exist', async () => {
  const { code, stderr } = await runTyped(['tools', '--connector', 'other'], { routes: hubWith([SEARCH]) });
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining(
      'Error: No connector has the id or short name other. The connectors are: notes (con_notes).\n',
    ),
  ]);
});

it('reports which tools are left out, and why', async () => {
  const path = `GET ${HUB}/api/v1/connectors/con_notes/tools`;
  const routes = hubWith([], {
    [path]: () =>
      problem(403, { code: 'connection_required', detail: 'Connect first.', connector_id: 'con_notes' }),
    [`POST ${HUB}/api/v1/connectors/con_notes/connections`]: {
      authorize_url: 'https://as.example/authorize',
    },
  });
  expect(await runTyped(['tools'], { routes })).toMatchObject({
    code: 0,
    stdout: '',
    stderr: expect.stringContaining(
      'Left out: notes: You must first connect your account there.\nNext: legate tools --connector notes\n',
    ),
  });
  expect(await runTyped(['tools', '--connector', 'notes'], { routes })).toMatchObject({
    code: 3,
    stderr: expect.stringContaining(
      'Error: Connect first. Connect your account in your browser: https://as.example/authorize\n',
    ),
  });
  expect(JSON.parse((await runTyped(['tools', '--json'], { routes })).stdout).left_out).toEqual([
    {
      connector_id: 'con_notes',
      slug: 'notes',
      reason: 'connection_required',
      detail: 'Connect first.',
      unusable: 0,
    },
  ]);
});

it('suggests how to bind an agent that has no tools', async () => {
  const { code, stderr } = await runTyped(['tools', '--agent', 'agt_1'], { routes: hubWith([]) });
  expect(code).toBe(0);
  expect(stderr).toContain('The agent agt_1 has no tools. It may be bound to no connector');
  expect(stderr).toContain(
    `Next: curl http://localhost:4000/api/v1/agents/agt_1/connectors/<connector_id> -H "Authorization: Bearer $(legate token --api)" -X PUT -H 'Content-Type: application/json' -d '{"approval":"always"}'\n`,
  );
  const own = await runTyped(['tools'], { routes: hubWith([]) });
  expect(own.stderr).toContain('There are no tools.\nNext: legate connectors list\n');
});

it('names the variable whose address refuses the token, and suggests to unset it', async () => {
  const elsewhere = 'http://localhost:7300';
  const refused = () => problem(401, { code: 'token_invalid', detail: 'Not valid for this API.' });
  const routes = { ...hubWith([]), [`GET ${elsewhere}/api/v1/connectors`]: refused };
  for (const typed of [['tools'], ['whoami', '--hub']]) {
    const { code, stderr } = await runTyped(typed, { routes, env: { LEGATE_HUB: elsewhere } });
    expect([code, stderr]).toEqual([
      3,
      expect.stringContaining(
        'Error: Not valid for this API. It was sent to http://localhost:7300 (from LEGATE_HUB) as the hub.\nNext: unset LEGATE_HUB\n',
      ),
    ]);
  }
  const { stderr } = await runTyped(['connectors'], { routes, env: { LEGATE_API: elsewhere } });
  expect(stderr).toContain('(from LEGATE_API) as the management API.\nNext: unset LEGATE_API\n');
});

it('names the management API that the development identity provider does not know', async () => {
  const routes = { ...hubWith([]), [`POST ${ISSUER}/admin/access-tokens`]: problem(404, {}) };
  const { stderr } = await runTyped(['connectors'], { routes, env: { LEGATE_API: HUB } });
  expect(stderr).toContain(
    'no user alice@acme.example, or no API at http://localhost:4001 (from LEGATE_API).\nNext: unset LEGATE_API\n',
  );
});

it('asks for a sign-in when the hub refuses the token', async () => {
  const routes = hubWith([], {
    [`GET ${HUB}/api/v1/connectors`]: () =>
      problem(401, { code: 'token_expired', reason: 'expired', detail: 'Expired.' }),
  });
  const { code, stderr } = await runTyped(['tools'], { routes });
  expect([code, stderr]).toEqual([3, expect.stringContaining('Error: Expired.\nNext: legate whoami --user')]);
});
