export { TXN_TOKEN_HEADER } from '@legate/oauth';
export * from './events.ts';
export * from './redemption.ts';
export { TransactionRefused } from './refusal.ts';
export * from './subject.ts';
export * from './transaction-token-service.ts';
export * from './verify-transaction.ts';
export * from './workload.ts';
export * from './workload-entry.ts';
