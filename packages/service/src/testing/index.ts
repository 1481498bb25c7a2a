export { createTestCa, type TestCa, type TestCertificate } from './certificates.ts';
export { configFaults } from './config-faults.ts';
