import { mkdirSync } from 'node:fs';

// `jest --json --outputFile=test-results/jest.json` does not make the directory itself.
mkdirSync('test-results', { recursive: true });

/**
 * The one Jest configuration; every workspace's jest.config.js is `export { default } from '../../jest.preset.js'`.
 * Workspaces resolve to their TypeScript sources (the `@legate/source` export condition), so a test needs no build.
 */
export default {
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['@legate/source', 'node', 'node-addons'] },
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '\\.ts$': [
      '@swc/jest',
      {
        jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
  testMatch: ['<rootDir>/src/**/*.test.ts'],
  // Of what hangs; a machine under load takes its time to start an embedded database.
  testTimeout: 60_000,
};
