export { remedyForOutage } from './answers.ts';
export type { Check, Examination, Facts, Target } from './examination.ts';
export { examine, examineUrl } from './examine.ts';
export { createIdJagMint, type IdJagOrder, MintFailed, type MintIdJag } from './id-jag-mint.ts';
export {
  type ProviderTarget,
  SignInFailed,
  type SignInTokens,
} from './identity-provider/examination.ts';
export {
  examineProvider,
  type ProviderReport,
  printSettings,
} from './identity-provider/examine-provider.ts';
export { printReport } from './print-report.ts';
export { isHttpUrl } from './probe.ts';
export { type RedemptionClient, redemptionChecks } from './redemption-checks.ts';
export { remedyForRefusal } from './redemption-remedies.ts';
export {
  CHECKS,
  type CheckName,
  type CheckResult,
  type Evidence,
  type Finding,
  fail,
  ok,
  REDEMPTION_CHECKS,
  type RedemptionCheck,
  type Report,
  type Status,
  shown,
  skipped,
  toWire,
  warn,
} from './report.ts';
export { otherEndpointsOf, targetOf } from './target.ts';
