import type { Overview } from '../../api/types.ts';

export type StepName = 'connector' | 'agent' | 'bound' | 'site' | 'call';

export interface ChecklistStep {
  readonly name: StepName;
  readonly done: boolean;
}

/** The scope that a step takes; everybody may call tools. */
export const SCOPES = {
  connector: 'connectors:write',
  agent: 'agents:write',
  bound: 'agents:write',
  site: 'sites:write',
} as const;

/**
 * Returns the first open step that the reader may take. Without a connector there is nothing to call, so that
 * this step comes first for everybody.
 */
export function nextStep(steps: readonly ChecklistStep[], scopes: readonly string[]): StepName {
  const open = steps.filter(({ done }) => !done).map(({ name }) => name);
  if (open[0] === 'connector') return 'connector';
  return open.find((name) => name === 'call' || scopes.includes(SCOPES[name])) ?? 'call';
}

/** Returns the steps to the first call, without those that the reader may not see. */
export function checklist({
  connectors,
  agents,
  sites,
  first_call_at: called,
}: Overview): readonly ChecklistStep[] {
  return [
    ...(connectors ? [{ name: 'connector', done: connectors.total > 0 } as const] : []),
    ...(agents
      ? ([
          { name: 'agent', done: agents.total > 0 },
          { name: 'bound', done: agents.bound > 0 },
        ] as const)
      : []),
    ...(sites === null ? [] : [{ name: 'site', done: sites > 0 } as const]),
    { name: 'call', done: called !== null },
  ];
}
