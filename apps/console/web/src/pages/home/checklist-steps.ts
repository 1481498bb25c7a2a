import type { Overview } from '../../api/types.ts';

export type StepName = 'connector' | 'agent' | 'bound' | 'site' | 'call';

export interface ChecklistStep {
  readonly name: StepName;
  readonly done: boolean;
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
