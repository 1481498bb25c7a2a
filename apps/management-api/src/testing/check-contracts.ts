import { afterAll, afterEach } from '@jest/globals';
import { forgetContracts, takeContractFaults } from './watched-contracts.ts';

// Jest evaluates this file once for each test file (`setupFilesAfterEnv`).
afterEach(() => {
  const faults = takeContractFaults();
  if (faults.length > 0) throw new Error(`not as the OpenAPI document says:\n${faults.join('\n')}`);
});
afterAll(forgetContracts);
