import type { AuditEvent } from '../../api/types.ts';

/** Parts of a call, in order. */
const LEGS = ['caller', 'registry', 'binding', 'idp', 'authorization_server', 'tool_server'] as const;
export type Leg = (typeof LEGS)[number] | 'hub';

export type StepState = 'passed' | 'decided' | 'not_reached' | 'not_needed';

export interface WhyStep {
  readonly leg: Leg;
  readonly state: StepState;
  readonly ms: number | undefined;
}

type Details = NonNullable<AuditEvent['details']>;

/** Delegations that a cached token makes unnecessary */
const OF_DELEGATION: readonly Leg[] = ['idp', 'authorization_server'];

/**
 * Returns how far a call got, from its audit event: parts before the deciding one have passed, parts after it
 * were not reached. Empty for an event that is not a call.
 * @param outcome of the rule, as reported by the hub: with `granted`, nothing stopped the call
 */
export function stepsOf(
  details: Details | null,
  outcome: string | undefined,
  hasAgent: boolean,
): readonly WhyStep[] {
  const decider = textOf(details?.leg);
  if (details === null || decider === undefined) return [];
  const isGranted = outcome === 'granted';
  const isCached = details.cache === 'hit';
  const withoutDelegation = isCached || details.rule === 'credential_configured';
  const at = (LEGS as readonly string[]).indexOf(decider === 'cache' ? 'idp' : decider);
  const steps = LEGS.map((leg, index): WhyStep => {
    const ms = numberOf(details[`${leg}_ms`]);
    const isNeeded = !(leg === 'binding' && !hasAgent) && !(withoutDelegation && OF_DELEGATION.includes(leg));
    if (decider === leg && !isGranted) return { leg, state: 'decided', ms };
    if (!isGranted && at !== -1 && index > at) return { leg, state: 'not_reached', ms: undefined };
    if (!isNeeded) return { leg, state: 'not_needed', ms: undefined };
    if (decider === 'hub') return { leg, state: ms === undefined ? 'not_reached' : 'passed', ms };
    return { leg, state: 'passed', ms };
  });
  return decider === 'hub' ? [...steps, { leg: 'hub', state: 'decided', ms: undefined }] : steps;
}

export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
export const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? Math.round(value) : undefined;
