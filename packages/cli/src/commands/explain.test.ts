import { expect, it } from '@jest/globals';
import { DEVELOPMENT, HUB, problem, runTyped } from '../testing/run-typed.ts';

const EXPLANATION = {
  call_id: 'evt_1',
  action: 'tool.denied',
  occurred_at: '2026-11-25T11:59:00.000Z',
  user_id: 'user_alice',
  client_id: 'frontend-app',
  agent_id: 'agt_1',
  agent_name: 'Helper',
  agent_authenticated: true,
  connector_id: 'con_notes',
  connector_name: 'Team notes',
  tool: 'create',
  outcome: 'denied',
  leg: 'idp',
  rule: 'policy_denied',
  summary: 'The policy does not let this user.',
  remedy: 'An administrator of the identity provider must allow it.',
  reason: null,
  doctor: null,
};
const ROUTE = `GET ${HUB}/api/v1/calls/evt_1/explanation`;
const run = (answer: object, ...args: string[]) =>
  runTyped(['explain', 'evt_1', ...args], { routes: { ...DEVELOPMENT, [ROUTE]: answer } });

it('prints what happened, where, and what helps', async () => {
  const { code, stdout } = await run(EXPLANATION);
  expect([code, stdout]).toEqual([
    0,
    `${[
      'The call to create of Team notes at 2026-11-25 11:59:00Z was refused.',
      '',
      'Who: alice@acme.example, by agent Helper (proven), through frontend-app.',
      'What: The policy does not let this user.',
      'Where: at the identity provider (policy_denied).',
      'What helps: An administrator of the identity provider must allow it.',
    ].join('\n')}\n`,
  ]);
});

it.each([
  ['prompt.denied', 'a prompt'],
  ['resource.denied', 'a resource'],
  ['delegation.denied', 'a list'],
  [null, 'a list, a prompt or a resource'],
])('says what was requested by %s, which calls no tool', async (action, thing) => {
  const { stdout } = await run({ ...EXPLANATION, action, tool: null });
  expect(stdout).toContain(`The request for ${thing} of Team notes at 2026-11-25`);
});

it.each([
  [
    'an agent that the application names',
    { agent_authenticated: null },
    'by agent Helper (named by the application), through frontend-app.',
  ],
  [
    'no agent',
    { agent_id: null, agent_name: null, agent_authenticated: null },
    'Who: alice@acme.example, through frontend-app.',
  ],
  [
    'ids whose names are unknown',
    { user_id: 'user_bob', agent_name: null, connector_name: null },
    'Who: user_bob, by agent agt_1 (proven), through frontend-app.',
  ],
])('says who called with %s', async (_case, members, who) => {
  expect((await run({ ...EXPLANATION, ...members })).stdout).toContain(who);
});

it('suggests the examination that shows more', async () => {
  const { stdout } = await run({
    ...EXPLANATION,
    reason: 'no_grant',
    doctor: '/api/v1/connectors/con_notes/doctor',
  });
  expect(stdout).toContain('(policy_denied): no_grant.\n');
  expect(stdout).toMatch(/Next: legate doctor --connector con_notes\n$/);
});

it('prints unknown names unchanged', async () => {
  const { stdout } = await run({ ...EXPLANATION, leg: 'new_leg', outcome: 'new_outcome' });
  expect(stdout).toContain('ended as new_outcome.');
  expect(stdout).toContain('Where: new_leg (policy_denied).');
});

it('prints the stable names with --json', async () => {
  const { doctor: _path, ...members } = EXPLANATION;
  expect(JSON.parse((await run(EXPLANATION, '--json')).stdout)).toEqual(members);
});

it('suggests the audit trail for an unknown call', async () => {
  const { code, stderr } = await run(problem(404, { code: 'call_not_found', detail: 'No such call.' }));
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('Error: No such call.\nNext: legate audit tail\n'),
  ]);
});
