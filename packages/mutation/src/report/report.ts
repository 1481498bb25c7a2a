import { describeMutant, type Mutant } from '../mutants/mutant.ts';
import type { Verdict } from '../runner/judge.ts';
import { type Accepted, matchAccepted, staleEntries } from './accepted.ts';

export interface Judged {
  readonly mutant: Mutant;
  readonly verdict: Verdict;
}

/**
 * Returns the result of a run as text; `isClean` unless a survivor has no reason.
 * @param broken test files that fail without a mutant
 */
export function report(
  judged: readonly Judged[],
  broken: readonly string[],
  all: readonly Mutant[],
  accepted: Accepted,
) {
  const of = (kind: Verdict['kind']) =>
    judged.filter(({ verdict }) => verdict.kind === kind).map(({ mutant }) => mutant);
  const [killed, survived, timedOut] = [of('killed'), of('survived'), of('timed out')];
  const { explained, unexplained } = matchAccepted(survived, accepted);
  const stale = staleEntries(accepted, all, killed);
  const lines = [
    ...section('Left out, because they fail without a mutant', broken),
    ...section('Timed out, and only with the mutant', timedOut.map(lineOf)),
    ...section(
      'Survived, with a reason',
      explained.map(({ mutant, reason }) => `${lineOf(mutant)}\n    ${reason}`),
    ),
    ...section('Survived, without a reason', unexplained.map(lineOf)),
    ...section(
      'Accepted survivors that explain nothing any more',
      stale.map(({ id, file, change }) => `${id} ${file} ${change}`),
    ),
    '',
    `${judged.length} mutants of ${all.length}: ${killed.length} killed, ${timedOut.length} timed out ` +
      `(together ${percent(killed.length + timedOut.length, judged.length)}), ` +
      `${survived.length} survived (${unexplained.length} without a reason)`,
    '',
  ];
  return { text: lines.join('\n'), isClean: unexplained.length === 0 };
}

export const lineOf = (mutant: Mutant): string =>
  `${mutant.id} ${mutant.file}:${mutant.line} ${describeMutant(mutant)}`;

const section = (title: string, entries: readonly string[]): string[] =>
  entries.length === 0 ? [] : ['', `${title}:`, ...entries.map((entry) => `  ${entry}`)];

// Rounded down, so that 95 % is shown only if it was reached.
const percent = (part: number, whole: number): string =>
  whole === 0 ? '-' : `${Math.floor((1000 * part) / whole) / 10} %`;
