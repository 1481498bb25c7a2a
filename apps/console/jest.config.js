import preset from '../../jest.preset.js';

export default { ...preset, testMatch: [...preset.testMatch, '<rootDir>/web/src/**/*.test.ts'] };
