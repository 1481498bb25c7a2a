export { createTestCa, type TestCa, type TestCertificate } from './certificates.ts';
export { createTestClock, START, type TestClock } from './clock.ts';
export { configFaults, namesAtFault } from './config-faults.ts';
export { findFreePort } from './free-port.ts';
export { frontPageFaults } from './front-pages.ts';
export { type Handler, listen, sendJson, startServer, type TestServer } from './http-server.ts';
