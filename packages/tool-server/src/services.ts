export {
  createExchange,
  type Exchange,
  type ExchangeFailure,
  type ExchangeOutcome,
  type TransactionTokenService,
} from './services/exchange.ts';
export {
  type CallService,
  createServiceCalls,
  type ServiceCall,
  type ServiceCallOutcome,
} from './services/service-calls.ts';
export type { Workload } from './services/workload.ts';
