/**
 * Requests per minute by plan (product specification, section 8). That of `custom` is for organizations for which no number
 * was agreed: the headers are integers, so there is no "unlimited".
 */
export const PLAN_LIMITS = { free: 60, pro: 300, custom: 3000 } as const;

export type PlanName = keyof typeof PLAN_LIMITS;

export interface Plan {
  readonly name: PlanName;
  /** The organization's own number on the custom plan; null where none was agreed. */
  readonly requestsPerMinute: number | null;
}

export function requestsPerMinute({ name, requestsPerMinute: own }: Plan): number {
  return name === 'custom' && own !== null ? own : PLAN_LIMITS[name];
}
