export { type ByteShares, createByteShares, hasRoom, type ShareRule } from './byte-shares.ts';
export { clientNetwork, clientNetworks } from './client-address.ts';
export { countDecisions } from './count-decisions.ts';
export { RateLimitExceeded } from './errors.ts';
export { type Attempt, createFailureLimiter, type FailureLimiter } from './failure-limiter.ts';
export {
  createFairShare,
  type FairShare,
  type LimitScope,
  type SharedUsage,
  USER_SHARE_PERCENT,
} from './fair-share.ts';
export { RATE_LIMIT_HEADERS, rateLimitHeaders, setRateLimitHeaders } from './headers.ts';
export { createRateLimiter, type RateLimiter, type Usage, WINDOW_SECONDS } from './limiter.ts';
export { createOwnedItems, type OwnedItems } from './owned-items.ts';
export { PLAN_LIMITS, type Plan, type PlanName, requestsPerMinute } from './plans.ts';
export type { SharedRequest } from './shared-windows.ts';
export { createSlots, type SlotClaim, type Slots } from './slots.ts';
export {
  type Asker,
  createStrangerBudget,
  type StrangerBudget,
  type Taken,
} from './stranger-budget.ts';
export { createWaitingRoom, type EndRun, type Entry, type Turn, type WaitingRoom } from './waiting-room.ts';
