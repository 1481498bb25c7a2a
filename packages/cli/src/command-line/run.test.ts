import { expect, it } from '@jest/globals';
import { HUB, hubWith, runTyped } from '../testing/run-typed.ts';

it.each([[[]], [['--help']], [['-h']]])('prints the help for %j', async (args) => {
  const { code, stdout, stderr } = await runTyped(args);
  expect([code, stderr]).toEqual([0, '']);
  for (const text of ['Usage: legate', 'audit', 'connectors', 'token', 'Exit codes:', '130'])
    expect(stdout).toContain(text);
});

it('prints the help of a command with examples, without Markdown links', async () => {
  const { code, stdout } = await runTyped(['connectors', 'add', '--help']);
  expect([code, stdout]).toEqual([0, expect.stringContaining('$ legate connectors add https://')]);
  expect(stdout).not.toContain('](');
});

it('prints its version', async () => {
  expect(await runTyped(['--version'])).toMatchObject({ code: 0, stdout: '1.2.3\n' });
});

it.each([
  [['nope'], "Unknown command 'nope'.", 'legate --help'],
  [['tokens'], "Unknown command 'tokens'. Did you mean token?", 'legate --help'],
  [['token', '--ap'], "Unknown option '--ap'. Did you mean --api?", 'legate token --help'],
  [['audit'], 'legate audit needs a subcommand.', 'legate audit --help'],
  [['explain'], "Missing required argument 'call_id'.", 'legate explain --help'],
  [
    ['tools', 'more'],
    "Too many arguments for 'tools'. Expected 0 arguments but got 1.",
    'legate tools --help',
  ],
  [
    ['connectors', 'add', 'https://a.example', '--method', 'x'],
    /'x' is invalid/,
    'legate connectors add --help',
  ],
  [['completion', 'tcsh'], /'tcsh' is invalid/, 'legate completion --help'],
])('exits with 2 for %j, and suggests the next command', async (args, message, next) => {
  const { code, stdout, stderr } = await runTyped(args);
  expect([code, stdout]).toEqual([2, '']);
  const [first = '', second, ...rest] = stderr.split('\n');
  if (typeof message === 'string') expect(first).toBe(`Error: ${message}`);
  else expect(first).toMatch(message);
  expect([second, rest]).toEqual([`Next: ${next}`, ['']]);
});

it('writes an error as one JSON value with --json, otherwise as text to stderr', async () => {
  const { code, stdout, stderr } = await runTyped(['tools', 'more', '--json']);
  expect(code).toBe(2);
  expect(JSON.parse(stdout)).toEqual({
    error: { code: 'usage', message: expect.any(String), next: 'legate tools --help' },
  });
  expect(stderr).toMatch(/^Error: /);
});

it('removes control characters in text from servers, and escapes them in JSON', async () => {
  const evil = 'good\u001b[2J\u009b31m\rbad\u202eecart';
  const routes = hubWith([{ name: 'a', mcp_name: 'notes_a', description: evil }]);
  const { stdout } = await runTyped(['tools'], { routes });
  expect(stdout).toContain('good[2J31m badecart');
  const json = (await runTyped(['tools', '--json'], { routes })).stdout;
  expect(json).not.toMatch(/(?!\n)[\p{Cc}\p{Bidi_Control}]/u);
  expect(JSON.parse(json).tools[0].description).toBe(evil);
});

it('colours the output on a terminal, but not with NO_COLOR', async () => {
  const routes = hubWith([{ name: 'a', mcp_name: 'notes_a' }]);
  const on = await runTyped(['tools'], { routes, isTTY: true, env: { NO_COLOR: '' } });
  expect(on.stdout).toContain('\u001b[36mnotes_a\u001b[39m');
  expect((await runTyped(['tools'], { routes, isTTY: true })).stdout).not.toContain('\u001b');
});

it('exits with 130 when it is interrupted, and ends the line in a terminal', async () => {
  const interruption = new AbortController();
  const routes = hubWith([], {
    [`GET ${HUB}/api/v1/connectors`]: () => {
      interruption.abort(new Error('Ctrl-C'));
      throw interruption.signal.reason;
    },
  });
  const { code, stdout, stderr } = await runTyped(['tools'], {
    routes,
    io: { signal: interruption.signal },
    isTTY: true,
  });
  expect([code, stdout, stderr]).toEqual([130, '', expect.stringMatching(/\.\n\n$/)]);
});
