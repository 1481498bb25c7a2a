export { isGuess, requireBearer, tokenProblem } from './bearer.ts';
export { WORKLOAD_PROBLEMS } from './problems.ts';
export {
  type CachedVerifyWorkload,
  checkWorkloadScope,
  createWorkloadVerifier,
  type VerifyWorkload,
  type Workload,
} from './verify-workload.ts';
export { createWorkloadFetch } from './workload-fetch.ts';
export {
  createWorkloadTokens,
  type WorkloadIdentity,
  type WorkloadTokens,
  WorkloadTokenUnavailable,
} from './workload-tokens.ts';
export { type Workloads, workloadsSetting } from './workloads.ts';
