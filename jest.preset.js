import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { SWC_OPTIONS } from './packages/testing/jest/swc-options.js';

// `jest --json --outputFile=test-results/jest.json` does not make the directory itself.
mkdirSync('test-results', { recursive: true });

const own = (file) => fileURLToPath(new URL(`./packages/testing/jest/${file}`, import.meta.url));

/**
 * The one Jest configuration; every workspace's jest.config.js is `export { default } from '../../jest.preset.js'`.
 * Node.js loads the modules of tests, and keeps them for the next test file of the process (packages/testing/README.md).
 */
export default {
  globalSetup: own('global-setup.js'),
  testEnvironment: own('environment.js'),
  setupFiles: [own('property-seed.js')],
  runtime: own('runtime.cjs'),
  testMatch: ['<rootDir>/src/**/*.test.ts'],
  // For what hangs: no limit that a slow machine under load could reach. Suites do not set another one.
  testTimeout: 300_000,
  // Only `npm run mutate` has Jest load and compile modules, one mutant at a time.
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': ['@swc/jest', { ...SWC_OPTIONS, sourceMaps: 'inline' }] },
};
