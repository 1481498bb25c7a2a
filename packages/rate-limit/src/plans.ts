/** Requests per minute by plan (product specification, section 8); `custom` has no fixed number. */
export const PLAN_LIMITS = { free: 60, pro: 300 } as const;

export type PlanName = keyof typeof PLAN_LIMITS | 'custom';

export interface Plan {
  readonly name: PlanName;
  /** The organization's own number on the custom plan; null where none was agreed. */
  readonly requestsPerMinute: number | null;
}

/** @param customDefault for a custom plan without a number: the headers are integers, so there is no "unlimited" */
export function requestsPerMinute(plan: Plan, customDefault: number): number {
  return plan.name === 'custom' ? (plan.requestsPerMinute ?? customDefault) : PLAN_LIMITS[plan.name];
}
