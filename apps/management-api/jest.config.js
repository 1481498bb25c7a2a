import preset from '../../jest.preset.js';

export default { ...preset, setupFilesAfterEnv: ['<rootDir>/src/testing/check-contracts.ts'] };
