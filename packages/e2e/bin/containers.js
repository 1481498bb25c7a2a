// npm run e2e -- --containers: the images are built, docker-compose.yml is started, and both are gone afterwards. JavaScript,
// as it runs before anything is built.
import { spawnSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const PROJECT = 'legate-e2e';
const READY_TIMEOUT_MS = 300_000;
const POLL_MS = 1000;
const ENGINES = ['docker compose', 'podman compose', 'docker-compose', 'podman-compose'];

const compose = (engine, args, stdio = 'inherit') => {
  const [program, ...first] = engine.split(' ');
  return spawnSync(program, [...first, '--project-name', PROJECT, ...args], {
    cwd: ROOT,
    stdio,
    encoding: 'utf8',
  });
};

/**
 * Looks for a compose command that has an engine: a client without an engine supports `version`, but not `ps`.
 * @param {string | undefined} chosen `COMPOSE` of the environment
 * @returns {{engine?: string, faults: string[]}} and a line for each command that was tried before
 */
export function findEngine(chosen) {
  const faults = [];
  for (const engine of chosen ? [chosen] : ENGINES) {
    const { status, stdout, stderr, error } = compose(engine, ['ps'], 'pipe');
    if (status === 0) return { engine, faults };
    const [said] = (stderr || stdout || '').trim().split('\n');
    faults.push(
      `${engine} --project-name ${PROJECT} ps: ${error?.code ?? `exit code ${status}`} ${said}`.trim(),
    );
  }
  return { faults };
}

/** Writes what begins now to standard error, because standard output may go into a file. */
const report = (step) => void process.stderr.write(`${step}\n`);

/** Compose has a `--wait` of its own, but not every engine's. */
async function waitUntilReady(urls) {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  const isReady = (url) =>
    fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2000) }).then(
      ({ ok }) => ok,
      () => false,
    );
  while (Date.now() < deadline) {
    const ready = await Promise.all(Object.values(urls).map(isReady));
    if (ready.every(Boolean)) return true;
    await delay(POLL_MS);
  }
  return false;
}

/**
 * Builds the images, starts the compose file, runs `test`, and removes containers and volumes, also after an error or
 * Ctrl-C.
 * @param {string} engine of `findEngine`
 * @param {Record<string, string>} urls of the services, as they are published
 * @param {() => number} test returns an exit code
 * @returns {Promise<number>} exit code
 */
export async function inContainers(engine, urls, test) {
  const stay = () => {}; // Ctrl-C ends the running step; then everything is taken down.
  process.on('SIGINT', stay).on('SIGTERM', stay);
  try {
    report('Building and starting the containers of docker-compose.yml, which takes minutes the first time');
    if (compose(engine, ['up', '--build', '--detach']).status !== 0) return 1;
    report('Waiting until all services are ready');
    if (!(await waitUntilReady(urls))) {
      process.stderr.write(
        `not all services were ready after ${READY_TIMEOUT_MS / 1000} s; their last words:\n`,
      );
      compose(engine, ['logs', '--tail', '50']);
      return 1;
    }
    return test();
  } finally {
    report('Removing the containers and their volumes');
    compose(engine, ['down', '--volumes']);
    process.off('SIGINT', stay).off('SIGTERM', stay);
  }
}
