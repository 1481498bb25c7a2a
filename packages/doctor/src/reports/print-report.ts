import { styleText } from 'node:util';
import type { Report, Status } from './report.ts';

const MARKS = {
  ok: ['ok  ', 'green'],
  warn: ['warn', 'yellow'],
  fail: ['FAIL', 'red'],
  skipped: ['skip', 'gray'],
} as const satisfies Record<Status, readonly [string, Parameters<typeof styleText>[0]]>;

/**
 * The report for people: the first fault, then every check.
 * @param options.showsAll also shows what was observed in checks without a fault
 * @param options.untried why the report decides nothing, and what helps; shown first if there is no fault
 */
export function printReport(
  url: string,
  report: Report,
  colours: boolean,
  { showsAll = false, untried }: { readonly showsAll?: boolean; readonly untried?: string | undefined } = {},
): string {
  const paint = (format: Parameters<typeof styleText>[0], text: string) =>
    colours ? styleText(format, text, { validateStream: false }) : text;
  const { firstFault, checks } = report;
  const warnings = checks.filter(({ status }) => status === 'warn').length;
  const warned =
    warnings === 0 ? '' : `, but ${warnings === 1 ? '1 check warns' : `${warnings} checks warn`}`;
  const head = firstFault
    ? [
        paint('red', `First fault: ${firstFault.check}. ${firstFault.detail}`),
        ...(firstFault.remedy === undefined ? [] : [`Remedy: ${firstFault.remedy}`]),
      ]
    : untried === undefined
      ? [paint('green', `No fault${warned}.`)]
      : [paint('yellow', untried), `No fault in the other checks${warned}.`];

  const lines = checks.flatMap(({ check, status, detail, remedy, evidence }) => {
    const [mark, colour] = MARKS[status];
    const seen = Object.entries(evidence ?? {}).map(
      ([name, value]) => `${name}: ${[value].flat().join(', ')}`,
    );
    return [
      `${paint(colour, mark)}  ${check.padEnd(22)}  ${detail}`,
      ...(remedy === undefined ? [] : [`${INDENT}${paint('bold', 'Remedy:')} ${remedy}`]),
      ...(status === 'ok' && !showsAll ? [] : seen.map((text) => `${INDENT}${paint('dim', text)}`)),
    ];
  });
  return [`${paint('bold', url)}`, '', ...head, '', ...lines, ''].join('\n');
}

const INDENT = ' '.repeat(30);
