export { seedDataDir } from './migrated-snapshot.ts';
export { createTestDatabase, type TestDatabase } from './test-database.ts';
