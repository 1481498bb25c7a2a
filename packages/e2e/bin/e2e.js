#!/usr/bin/env node
// npm run e2e: tests the requirements for any deployment over HTTP. Runs before anything is built, so it is JavaScript.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { build, ROOT } from '../../dev/bin/build.js';
import { readCommandLine, refuse } from '../../dev/bin/command-line.js';
import { findEngine, inContainers } from './containers.js';

const JEST = `${ROOT}node_modules/jest/bin/jest.js`;
const SERVICES = ['management-api', 'tool-hub', 'mock-idp', 'reference-mcp-server', 'console'];
const HELP = `npm run e2e                              on a stack of its own, which it starts and stops
npm run e2e -- --against <urls>          on a deployment with the development scene's users and clients

npm run e2e -- --containers              on docker-compose.yml: builds the images, starts it, and takes it down with its volumes

  <urls>   five URLs, by commas or spaces, each as name=url, or in this order:
           ${SERVICES.join(', ')}
           "local" is short for http://localhost:4000 to 4004, or the ports in MANAGEMENT_API_PORT,
           TOOL_HUB_PORT, MOCK_IDP_PORT, REFERENCE_MCP_SERVER_PORT and CONSOLE_PORT, as for --containers
  --title <pattern>   only the tests whose titles match
  COMPOSE="podman compose"   the compose command for --containers; otherwise the first that has an engine

  npm run e2e -- --against local
  npm run e2e -- --against tool-hub=https://hub.example,management-api=https://api.example,mock-idp=https://idp.example,reference-mcp-server=https://tools.example,console=https://console.example

A URL is the one by which the service knows itself: tokens carry it. Sites and notes that the tests make they delete again.
`;

const fail = (fault) => refuse('npm run e2e', fault);

/** Returns where docker-compose.yml and `npm start` publish the services. */
const published = () =>
  Object.fromEntries(
    SERVICES.map((name, i) => [
      name,
      `http://localhost:${process.env[`${name.toUpperCase().replaceAll('-', '_')}_PORT`] || 4000 + i}`,
    ]),
  );

/** @returns the URLs by the names of their services */
function urlsFrom(texts) {
  const entries = texts.flatMap((text) => text.split(',')).filter((entry) => entry !== '');
  if (entries.join() === 'local') return published();
  const urls = {};
  entries.forEach((entry, index) => {
    const [, named, url] = /^(?:([\w-]+)=)?(https?:\/\/.+?)\/?$/.exec(entry) ?? [];
    const name = named ?? SERVICES[index];
    if (!SERVICES.includes(name) || !URL.canParse(url ?? '')) fail(`${entry}: not name=url of a service`);
    if (urls[name]) fail(`${name}: given twice`);
    urls[name] = url;
  });
  const missing = SERVICES.filter((name) => !urls[name]);
  if (missing.length > 0) fail(`no URL of ${missing.join(', ')}`);
  return urls;
}

/**
 * Reports the services that do not respond, because otherwise each test would fail in its own way. Stopped services may
 * be part of a test, so only a deployment that is completely unreachable ends the run here.
 */
async function reportWhoIsAway(deployment) {
  const away = await Promise.all(
    Object.entries(deployment).map(([name, url]) =>
      fetch(`${url}/healthz`, { signal: AbortSignal.timeout(5000) }).then(
        () => [],
        (err) => [`${name} does not answer at ${url}: ${err.cause?.code ?? err.message}\n`],
      ),
    ),
  );
  process.stderr.write(away.flat().join(''));
  if (away.every((faults) => faults.length > 0)) {
    process.stderr.write('Nothing to test: start it first, with npm start for example\n');
    process.exit(1);
  }
}

const { values, positionals } = readCommandLine('npm run e2e', HELP, process.argv.slice(2), {
  allowPositionals: true,
  options: {
    against: { type: 'string', multiple: true },
    containers: { type: 'boolean' },
    title: { type: 'string' },
  },
});
if (!values.against && positionals.length > 0) fail(`${positionals[0]}: what is it? URLs follow --against`);

if (values.against && values.containers) fail('--against and --containers: which of the two?');

/** @returns the exit code */
function test(urls) {
  if (!existsSync(JEST)) fail('npm ci first: the dependencies are not installed');
  const { status } = spawnSync(
    process.execPath,
    [
      JEST,
      '--verbose',
      '--runInBand',
      '--testPathPatterns',
      'src/against/deployment',
      ...(values.title ? ['--testNamePattern', values.title] : []),
    ],
    {
      cwd: `${ROOT}packages/e2e`,
      stdio: 'inherit',
      env: { ...process.env, ...(urls && { LEGATE_E2E_URLS: JSON.stringify(urls) }) },
    },
  );
  return status ?? 1;
}

async function testInContainers() {
  const { engine, faults } = findEngine(process.env.COMPOSE);
  if (engine === undefined) {
    process.stderr.write(`${faults.join('\n')}\n`);
    fail('no compose command has an engine; COMPOSE names another');
  }
  build();
  return inContainers(engine, published(), () => test(published()));
}

async function testWhatRuns() {
  const urls = values.against && urlsFrom([...values.against, ...positionals]);
  if (urls) await reportWhoIsAway(urls);
  else build();
  return test(urls);
}

process.exitCode = await (values.containers ? testInContainers() : testWhatRuns());
