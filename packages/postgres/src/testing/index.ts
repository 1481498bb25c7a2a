export { seedDataDir } from './migrated-snapshot.ts';
export { createServerDatabase, type ServerDatabase } from './server-database.ts';
export { createTestDatabase, type TestDatabase } from './test-database.ts';
