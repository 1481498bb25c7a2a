export type { Check, Examination, Facts, Target } from './examination.ts';
export { examine, examineUrl } from './examine.ts';
export { createIdJagMint, type IdJagOrder, MintFailed, type MintIdJag } from './id-jag-mint.ts';
export { type ProviderTarget, SignInFailed, type SignInTokens } from './identity-provider/examination.ts';
export {
  examineProvider,
  type ProviderReport,
} from './identity-provider/examine-provider.ts';
export { printSettings } from './identity-provider/fields.ts';
export type { ProviderError } from './identity-provider/hints.ts';
export { type RedemptionClient, redemptionChecks } from './redemption-checks.ts';
export { remedyForRefusal } from './redemption-remedies.ts';
export { remedyForOutage } from './reports/answers.ts';
export { printReport } from './reports/print-report.ts';
export { isHttpUrl } from './reports/probe.ts';
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
} from './reports/report.ts';
export { otherEndpointsOf, targetOf } from './target.ts';
