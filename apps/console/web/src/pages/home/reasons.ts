import type { CallCount } from '../../api/types.ts';

const SHOWN = 5;

interface Reason {
  readonly rule: string;
  readonly calls: number;
}

/** The rules that stopped most calls, and the number of calls that were stopped for another reason */
export interface Reasons {
  readonly shown: readonly Reason[];
  readonly others: { readonly refused: number; readonly failed: number };
}

/** @param counts by rule, including the rules that allowed a call */
export function reasonsOf(counts: readonly CallCount[]): Reasons {
  const stopped = counts
    .filter(({ refused, failed }) => refused + failed > 0)
    .sort((a, b) => b.refused + b.failed - (a.refused + a.failed));
  const named = stopped.filter(({ key }) => key !== null).slice(0, SHOWN);
  const others = stopped.filter((count) => !named.includes(count));
  return {
    shown: named.map(({ key, refused, failed }) => ({ rule: key ?? '', calls: refused + failed })),
    others: {
      refused: others.reduce((sum, { refused }) => sum + refused, 0),
      failed: others.reduce((sum, { failed }) => sum + failed, 0),
    },
  };
}
