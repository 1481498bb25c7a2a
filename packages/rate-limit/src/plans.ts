/**
 * Requests per minute by plan (product specification, section 8). The number of `custom` applies if no other number was
 * agreed with the organization. There is no "unlimited", because the headers are integers.
 */
export const PLAN_LIMITS = { free: 60, pro: 300, custom: 3000 } as const;

export type PlanName = keyof typeof PLAN_LIMITS;

export interface Plan {
  readonly name: PlanName;
  /** The number that was agreed with the organization on the custom plan; null if none was agreed. */
  readonly requestsPerMinute: number | null;
}

export function requestsPerMinute({ name, requestsPerMinute: own }: Plan): number {
  return name === 'custom' && own !== null ? own : PLAN_LIMITS[name];
}
