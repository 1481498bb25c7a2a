import { AsyncLocalStorage } from 'node:async_hooks';
import { existsSync } from 'node:fs';
import { createRequire, register } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';
import { compile } from './compile.js';
import { setGlobals } from './globals.js';
import { startWatchdog } from './watchdog.js';

const watch = startWatchdog();
register(new URL('./loader.js', import.meta.url));

const require = createRequire(import.meta.url);
const TEST_TIMEOUT = Symbol.for('TEST_TIMEOUT_SYMBOL');
const EVENT_HANDLERS = Symbol.for('EVENT_HANDLERS');

/** Test files that this process has loaded */
const loaded = new Set();

/** Storages that the current test file has used */
const storages = new Set();
for (const method of ['run', 'enterWith']) {
  const original = AsyncLocalStorage.prototype[method];
  AsyncLocalStorage.prototype[method] = function (...args) {
    storages.add(this);
    return original.apply(this, args);
  };
}

/**
 * A test environment without a separate scope: test files run in the global scope of their process.
 * @see packages/testing/README.md
 */
export default class ProcessEnvironment {
  global = globalThis;
  fakeTimers = null;
  #restore;

  constructor({ projectConfig }, { testPath }) {
    watch(testPath);
    this.#restore = rememberProcess();
    // One run of Jest may have test files of several workspaces.
    process.chdir(projectConfig.rootDir);
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup() {}

  /**
   * Closes resources that a test file has opened at its top level, if none of its tests ran: Jest then calls none of
   * its hooks. A file with a `beforeAll` opens resources there.
   */
  async handleTestEvent({ name }, { rootDescribeBlock }) {
    if (name !== 'run_finish' || hasRun(rootDescribeBlock)) return;
    const { hooks } = rootDescribeBlock;
    if (hooks.some(({ type }) => type === 'beforeAll')) return;
    for (const { type, fn } of hooks) if (type === 'afterAll') await fn();
  }

  async teardown() {
    this.moduleMocker.restoreAllMocks();
    this.fakeTimersModern.dispose();
    this.#restore();
    disableStorages();
  }

  /** Jest checks that this function exists, but only Jest's own runtime calls it. */
  getVmContext() {
    return null;
  }

  createRuntime(config) {
    return new NativeRuntime(config, this);
  }
}

/** @returns a function that undoes all changes that a test file, or Jest on its behalf, has made in the process */
function rememberProcess() {
  const env = { ...process.env };
  const directory = process.cwd();
  const { exit } = process;
  const { console } = globalThis;
  const { stackTraceLimit } = Error;
  return () => {
    for (const name of Object.keys(process.env)) if (!Object.hasOwn(env, name)) delete process.env[name];
    Object.assign(process.env, env);
    process.chdir(directory);
    process.exit = exit;
    globalThis.console = console;
    Error.stackTraceLimit = stackTraceLimit;
    delete globalThis[TEST_TIMEOUT];
  };
}

const hasRun = (block) =>
  block.children.some((child) =>
    child.type === 'describeBlock' ? hasRun(child) : child.status !== 'skip' && child.status !== 'todo',
  );

/**
 * Disables every storage that is in use. Before Node.js 24, each promise takes time and memory for every one that was used and
 * not disabled, and Jest makes one for each test file.
 */
function disableStorages() {
  for (const storage of storages) storage.disable();
  storages.clear();
}

/** Jest's runtime interface, with modules loaded by Node.js itself: once per process, and never mocked. */
class NativeRuntime {
  #config;
  #environment;

  constructor(config, environment) {
    this.#config = config;
    this.#environment = environment;
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  async unstable_importModule(path) {
    const url = pathToFileURL(path);
    // A test file declares its tests when it is evaluated, so it is evaluated again when it runs again.
    if (loaded.has(path)) url.search = `again=${performance.now()}`;
    loaded.add(path);
    return import(url.href);
  }

  requireModule(path) {
    return require(path);
  }

  /** Loads Jest's own modules. Those with per-file state are evaluated again for each file. */
  requireInternalModule(path) {
    delete require.cache[path];
    delete globalThis[EVENT_HANDLERS];
    return require(path);
  }

  setGlobalsForRuntime(globals) {
    setGlobals({ ...globals, jest: this.#jest() });
  }

  /** The part of the `jest` object that does not concern modules */
  #jest() {
    const { moduleMocker, fakeTimersModern } = this.#environment;
    const jest = {
      fn: moduleMocker.fn.bind(moduleMocker),
      spyOn: moduleMocker.spyOn.bind(moduleMocker),
      restoreAllMocks() {
        moduleMocker.restoreAllMocks();
        return jest;
      },
      useFakeTimers: (options) => {
        fakeTimersModern.useFakeTimers({ ...this.#config.fakeTimers, ...options });
        return jest;
      },
      useRealTimers() {
        fakeTimersModern.useRealTimers();
        return jest;
      },
      advanceTimersByTime: (ms) => fakeTimersModern.advanceTimersByTime(ms),
      advanceTimersByTimeAsync: (ms) => fakeTimersModern.advanceTimersByTimeAsync(ms),
      setTimeout(ms) {
        globalThis[TEST_TIMEOUT] = ms;
        return jest;
      },
    };
    return jest;
  }

  getSourceMaps() {
    return new SourceMaps();
  }

  clearAllMocks() {
    this.#environment.moduleMocker.clearAllMocks();
  }

  resetAllMocks() {
    this.#environment.moduleMocker.resetAllMocks();
  }

  restoreAllMocks() {
    this.#environment.moduleMocker.restoreAllMocks();
  }

  enterTestCode() {}
  leaveTestCode() {}
  resetModules() {}
  getAllCoverageInfoCopy() {}
  teardown() {}
}

/** Finds the source map of any file in a stack trace; Jest requires a Map. */
class SourceMaps extends Map {
  get(file) {
    const path = file.startsWith('file:') ? fileURLToPath(file) : file;
    return path.endsWith('.ts') && existsSync(path) ? compile(path).mapFile : undefined;
  }
}
