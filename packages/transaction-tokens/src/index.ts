export type { DeniedToken, IssuedToken, TransactionRule } from './events.ts';
export {
  createExchange,
  type Exchange,
  type ExchangeFailure,
  type ExchangeOutcome,
  type TransactionTokenService,
} from './exchange.ts';
export { TransactionRefused } from './refusal.ts';
export { createTransactionTokenService, type TransactionTokenResponse } from './transaction-token-service.ts';
export { createSubjectCheck, type TransactionSubject } from './subject.ts';
export { type OnKeysRead, type RequestingWorkload, registerWorkloads } from './workload.ts';
export { WorkloadEntry } from './workload-entry.ts';
