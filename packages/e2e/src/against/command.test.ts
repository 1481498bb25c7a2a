import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';

const COMMAND = fileURLToPath(new URL('../../bin/e2e.js', import.meta.url));
const run = (...args: string[]) => runWith({}, ...args);
const runWith = (env: NodeJS.ProcessEnv, ...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND, ...args], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  return { status, output: `${stdout}${stderr}` };
};

it('prints its usage', () => {
  expect(run('--help')).toEqual({ status: 0, output: expect.stringContaining('--against <urls>') });
});

it.each([
  ['a URL that is missing', ['--against', 'http://a,http://b,http://c,http://d'], 'no URL of console'],
  ['what is no URL', ['--against', 'mock-idp=localhost'], 'mock-idp=localhost: not name=url'],
  ['a service that there is not', ['--against', 'hub=http://a'], 'hub=http://a: not name=url'],
  ['a URL given twice', ['--against', 'tool-hub=http://a,tool-hub=http://b'], 'tool-hub: given twice'],
  ['an option that there is not', ['--agianst', 'local'], "'--agianst'"],
  ['two ways at once', ['--against', 'local', '--containers'], 'which of the two?'],
  ['URLs without --against', ['http://a'], 'http://a: what is it?'],
])('reports %s, and tests nothing', (_case, args, message) => {
  const { status, output } = run(...args);
  expect([status, output]).toEqual([2, expect.stringContaining(message)]);
  expect(output.trim().split('\n')).toEqual([
    expect.stringMatching(/; npm run e2e -- --help lists the options$/),
  ]);
});

it('reads the ports of local deployments from the environment', () => {
  const names = ['MANAGEMENT_API', 'TOOL_HUB', 'MOCK_IDP', 'REFERENCE_MCP_SERVER', 'CONSOLE'];
  const { status, output } = runWith(
    Object.fromEntries(names.map((name) => [`${name}_PORT`, '1'])), // a port without a listener
    '--against',
    'local',
  );
  expect([status, output.match(/does not answer at http:\/\/localhost:1:/g)]).toEqual([
    1,
    names.map(() => 'does not answer at http://localhost:1:'),
  ]);
});

it('reports that nothing is running, and tests nothing', () => {
  const nobody = 'http://127.0.0.1:1'; // a port without a listener, so no request leaves this machine
  expect(run('--against', Array(5).fill(nobody).join())).toEqual({
    status: 1,
    output: expect.stringMatching(/^management-api does not answer at .*Nothing to test/s),
  });
});

it('reports a compose command without an engine, and builds nothing', () => {
  expect(runWith({ COMPOSE: 'false' }, '--containers')).toEqual({
    status: 2,
    output: expect.stringMatching(
      /^false --project-name legate-e2e ps: exit code 1\nno compose command has an engine; COMPOSE names another/,
    ),
  });
});
