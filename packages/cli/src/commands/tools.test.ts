import { expect, it } from '@jest/globals';
import { HUB, hubWith, problem, runTyped } from '../testing/run-typed.ts';

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
      'Error: No connector has the id or short name other. There are: notes (con_notes).\n',
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

it('asks for a sign-in when the hub refuses the token', async () => {
  const routes = hubWith([], {
    [`GET ${HUB}/api/v1/connectors`]: () =>
      problem(401, { code: 'token_expired', reason: 'expired', detail: 'Expired.' }),
  });
  const { code, stderr } = await runTyped(['tools'], { routes });
  expect([code, stderr]).toEqual([3, expect.stringContaining('Error: Expired.\nNext: legate whoami --user')]);
});
