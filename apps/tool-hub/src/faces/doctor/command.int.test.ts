import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, expect, it } from '@jest/globals';
import { type Faults, startExemplaryToolServer } from '../../testing/exemplary-tool-server.ts';
import type { TestServer } from '../../testing/http-server.ts';
import { doctorCommand, targetOf } from './command.ts';

let server: TestServer | undefined;

afterEach(async () => {
  await server?.stop();
  server = undefined;
});

async function start(faults: Faults = {}): Promise<string> {
  server = await startExemplaryToolServer(faults);
  return `${server.url}/mcp`;
}

async function run(args: readonly string[], env: NodeJS.ProcessEnv = {}, isTTY = false) {
  const stdout = Object.assign(new PassThrough(), { isTTY });
  const stderr = new PassThrough();
  const code = await doctorCommand(args, env, { stdout, stderr });
  stdout.end();
  stderr.end();
  return { code, stdout: await text(stdout), stderr: await text(stderr) };
}

it('reports what is right with a good server, without colours in a pipe', async () => {
  const { code, stdout } = await run([await start()]);
  expect(code).toBe(0);
  expect(stdout).toContain('No fault.');
  expect(stdout).toMatch(/skip {2}token_exchange/);
  expect(stdout).not.toContain('\u001b');
});

it('starts with the first fault and its remedy, and exits with 1', async () => {
  const url = await start({ resourceMetadata: (base) => ({ resource: `${base}/mcp/` }), secondsAhead: 600 });
  const { code, stdout } = await run([url]);
  expect(code).toBe(1);
  const [, , first, remedy] = stdout.split('\n');
  expect(first).toMatch(/^First fault: resource_identifier\. .*trailing slash/);
  expect(remedy).toMatch(/^Remedy: Let the metadata say/);
  expect(stdout).toMatch(/FAIL {2}clock/);
});

it('colours a terminal, but not with NO_COLOR', async () => {
  const url = await start();
  expect((await run([url], {}, true)).stdout).toContain('\u001b[32m');
  expect((await run([url], { NO_COLOR: '1' }, true)).stdout).not.toContain('\u001b');
});

it('writes the report of the API as JSON', async () => {
  const url = await start({ serverMetadata: () => ({ grant_types_supported: [] }) });
  const { code, stdout } = await run([url, '--json']);
  const report = JSON.parse(stdout);
  expect([code, report.url, report.status, report.first_fault.check]).toEqual([1, url, 'fail', 'grant']);
  expect(report.checks.at(-1)).toMatchObject({ check: 'tools_list', status: 'skipped' });
});

it.each([
  [[], 'The URL of a tool server is missing'],
  [['no url'], 'no url is not the URL of a tool server'],
  [['ftp://a.example'], 'ftp://a.example is not the URL of a tool server'],
  [['https://a.example/#x'], 'https://a.example/#x is not the URL of a tool server'],
  [['https://a.example', 'https://b.example'], 'One URL at a time, and https://b.example is a second one'],
  [['--fast', 'https://a.example'], "Unknown option '--fast'"],
])('exits with 2 and one line for the arguments %j', async (args, fault) => {
  const stderr = `${fault}; npm run doctor -- --help lists the options\n`;
  expect(await run(args)).toMatchObject({ code: 2, stdout: '', stderr });
});

it('prints its help', async () => {
  for (const option of ['--help', '-h']) {
    const stdout = expect.stringContaining('npm run -s doctor -- <url> [--json]');
    expect(await run([option])).toMatchObject({ code: 0, stdout, stderr: '' });
  }
});

it('exits with 2 for an invalid OUTBOUND_ALLOW', async () => {
  const { code, stderr } = await run([await start()], { OUTBOUND_ALLOW: '10.0.0.0' });
  expect([code, stderr]).toEqual([2, 'OUTBOUND_ALLOW is not a list of CIDR blocks.\n']);
});

it.each([
  ['https://a.example', 'https://a.example/mcp', ['https://a.example', 'https://a.example/mcp']],
  ['https://a.example/mcp', 'https://a.example/mcp', ['https://a.example/mcp', 'https://a.example']],
  ['https://a.example/t/mcp', 'https://a.example/t/mcp', ['https://a.example/t/mcp', 'https://a.example/t']],
])('treats %s as a server at %s', (url, mcpUrl, resources) => {
  expect(targetOf(url)).toMatchObject({ mcpUrl, resources });
});
