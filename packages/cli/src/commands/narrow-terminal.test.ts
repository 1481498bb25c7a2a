import { describe, expect, it } from '@jest/globals';
import { commandTable } from '../command-table.ts';
import { API, DEVELOPMENT, HUB, hubWith, type Routes, runTyped } from '../testing/run-typed.ts';

const AGENT = 'agt_01M8HMEMAAYN33ZPAZCWER3E1C';
const EVENT = 'evt_01M8HMEMEK7F9TKWKBMJJME1ZD';
const URL_OF_TOOLS = 'https://tools.example/a-rather-long-path/mcp';
const routes: Routes = {
  ...DEVELOPMENT,
  ...hubWith([
    { name: 'create_note', mcp_name: 'notes_create_note', description: 'Saves a note. '.repeat(30) },
  ]),
  [`GET ${API}/api/v1/connectors`]: {
    data: [
      {
        id: 'con_notes',
        slug: 'notes',
        name: 'Notes',
        auth_method: 'id-jag',
        status: 'ready',
        enabled: true,
        resource_url: URL_OF_TOOLS,
      },
    ],
    pagination: { total: 1, limit: 100, offset: 0, has_more: false },
  },
  [`GET ${API}/api/v1/audit-events`]: {
    data: [
      {
        id: EVENT,
        action: 'tool.called',
        occurred_at: '2026-11-25T11:59:00.000Z',
        actor: { type: 'user', id: 'user_alice', name: 'Alice', email: 'alice@acme.example' },
        targets: [
          { type: 'agent', id: AGENT, name: null },
          { type: 'connector', id: 'con_notes', name: 'Notes of the team' },
        ],
        changes: null,
        context: { client_id: 'frontend-app' },
        details: { outcome: 'granted', rule: 'token_cached' },
      },
    ],
    pagination: { total: 1, limit: 20, offset: 0, has_more: false },
  },
};

/** Fails for a line that the terminal would break, unless it is a single word. */
function expectToFit(text: string, columns: number): void {
  const tooLong = text.split('\n').filter((line) => line.length > columns && line.trim().includes(' '));
  expect(tooLong).toEqual([]);
}

describe.each([60, 80, 120])('in a terminal of %i columns', (columns) => {
  it.each([
    [['connectors'], ['con_notes', URL_OF_TOOLS]],
    [
      ['audit', 'tail'],
      [AGENT, EVENT, 'connector Notes of the team', 'allowed token_cached'],
    ],
    [['tools'], ['notes_create_note']],
    [['whoami'], ['alice@acme.example', 'http://localhost:4002']],
    [['call', 'nope'], ['Next: legate tools']],
  ])('%j breaks lines between words only', async (args, whole) => {
    const { stdout, stderr } = await runTyped(args, { routes, isTTY: true, columns });
    for (const each of whole) expect(stdout + stderr).toContain(each);
    expectToFit(stdout, columns);
    expectToFit(stderr, columns);
  });

  it.each(['', ...commandTable('1.2.3').commands.map(({ name }) => name)])(
    'the help of legate %s breaks lines between words only',
    async (name) => {
      const args = [...name.split(' ').filter(Boolean), '--help'];
      const { stdout } = await runTyped(args, { isTTY: true, columns });
      expect(stdout).toContain('Usage: legate');
      expectToFit(stdout, columns);
    },
  );
});

it('shows an event in a line for each part that does not fit beside the others', async () => {
  const { stdout } = await runTyped(['audit', 'tail'], { routes, isTTY: true, columns: 80 });
  expect(stdout).toBe(
    `${[
      '2026-11-25 11:59:00Z  tool.called           alice@acme.example',
      `                      through frontend-app  agent ${AGENT}`,
      '                      (named by the application), connector Notes of the team',
      `                      allowed token_cached  ${EVENT}`,
    ].join('\n')}\n`,
  );
});

it('prints examples that can be pasted into a shell', async () => {
  const { stdout } = await runTyped(['login', '--help'], { isTTY: true, columns: 60 });
  const pasted = stdout.replaceAll(/ \\\n +/g, ' ');
  expect(stdout).toContain('https://idp.example \\\n');
  expect(pasted).toContain(
    '$ legate login https://idp.example --client-id legate-cli --hub https://hub.example --api https://api.example\n',
  );
});

it('wraps and truncates nothing without a terminal', async () => {
  const { stdout } = await runTyped(['tools'], { routes });
  expect(stdout).toContain(`  ${'Saves a note. '.repeat(30).trim()}\n`);
  expect(stdout.trim().split('\n')).toHaveLength(2);
});

it('does not wrap the result of a tool', async () => {
  const text = 'one two '.repeat(40).trim();
  const tool = hubWith([{ name: 'read', mcp_name: 'notes_read' }], {
    [`POST ${HUB}/api/v1/connectors/con_notes/tools/read/call`]: { content: [{ type: 'text', text }] },
  });
  const { stdout } = await runTyped(['call', 'notes_read'], { routes: tool, isTTY: true, columns: 60 });
  expect(stdout).toBe(`${text}\n`);
});
