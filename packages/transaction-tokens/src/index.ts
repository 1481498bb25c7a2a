export { type Admission, createAdmission } from './admission.ts';
export type { DeniedToken, IssuedToken, TransactionRule } from './events.ts';
export {
  createExchange,
  type Exchange,
  type ExchangeFailure,
  type ExchangeOutcome,
  type TransactionTokenService,
} from './exchange.ts';
export { TransactionRefused } from './refusal.ts';
export { createSubjectCheck, type TransactionSubject } from './subject.ts';
export { TXN_TOKEN_HEADER } from './transaction-context.ts';
export { createTransactionTokenService, type TransactionTokenResponse } from './transaction-token-service.ts';
export {
  createTransactionVerifier,
  OtherWorkload,
  type Transaction,
  type VerifyTransaction,
} from './verify-transaction.ts';
export { type OnKeysRead, type RequestingWorkload, registerWorkloads } from './workload.ts';
export { WorkloadEntry } from './workload-entry.ts';
