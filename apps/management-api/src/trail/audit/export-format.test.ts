import { describe, expect, it } from '@jest/globals';
import { runs } from '@legate/testing';
import fc from 'fast-check';
import { AuditEventId } from '../../domain/ids.ts';
import type { AuditEvent } from './audit-event.ts';
import { harmlessCell } from './csv-cell.ts';
import { EXPORT_FORMATS } from './export-format.ts';

it.each([
  ['=1+1', "'=1+1"],
  ['x;=1+1', "x;'=1+1"],
  ['x; =1+1', "x; '=1+1"],
  ['x;"=1+1', `x;"'=1+1`],
  ['x\t@SUM(A1)', "x\t'@SUM(A1)"],
  ['x\n+1', "x\n'+1"],
  ['x\r\n-1', "x\r\n'-1"],
  ['x|=1', "x|'=1"],
  ['\tx', "'\tx"],
  ['\u200b=1', "\u200b'=1"],
  ['＝1', "'＝1"],
  ['=1;=2;=3', "'=1;'=2;'=3"],
])('writes %j as %j', (text, written) => {
  expect(harmlessCell(text)).toBe(written);
});

it.each([
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)',
  'Support - EMEA, a+b@example.com',
  '{"limit":{"from":-1,"to":[2,-3]}}',
  "it's = here",
])('does not change %j', (text) => {
  expect(harmlessCell(text)).toBe(text);
});

describe('an export as CSV', () => {
  const eventWith = (text: string): AuditEvent => ({
    ...{ action: 'x.y', occurred_at: '2026-01-01T00:00:00.000Z', recorded_at: '2026-01-01T00:00:01.000Z' },
    id: AuditEventId.parse('evt_1'),
    actor: { type: 'user', id: text, name: text, email: text },
    targets: [{ type: text, id: text, name: text }],
    changes: { [text]: { from: text, to: null } },
    context: {
      ...{ request_id: text, client_request_id: text, trace_id: text, ip: text, user_agent: text },
      ...{ auth: null, client_id: text, token_id: text },
    },
    details: { a: text },
    truncated: null,
  });
  const piece = fc.constantFrom(
    ...[
      '=',
      '+',
      '-',
      '@',
      '＝',
      '＠',
      ';',
      '|',
      '\t',
      '\n',
      '\r',
      '\v',
      '\u2028',
      ',',
      '"',
      "'",
      ' ',
      '\u00a0',
    ],
    ...['\u200b', '\ufeff', 'x', '1', '=1+1', '";"', '\\'],
  );
  const hostile = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
  const csv = (text: string) => EXPORT_FORMATS.csv.events([eventWith(text)]);

  it('contains no formula after any separator, however a program treats quotes', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        for (const separator of [';', '|', '\t', '\v', '\n', '\r', '\u2028'])
          for (const cell of csv(text).split(separator))
            expect(cell.replace(/^["\s\u200b\ufeff]*/u, '')).not.toMatch(/^[=+\-@＝＋－＠]/u);
      }),
      runs(500),
    );
  });

  it('contains no formula in a cell between commas', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        for (const cell of cellsOf(csv(text))) expect(cell).not.toMatch(/^[=+\-@＝＋－＠\t\r]/u);
      }),
      runs(500),
    );
  });

  it('contains valid JSON in the cells of targets, changes and details', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const cells = cellsOf(csv(text)).filter(
          (cell) => /^[[{]/.test(cell) && cell.endsWith(']') === cell.startsWith('['),
        );
        const [targets, changes, details] = cells.slice(-3).map((cell) => JSON.parse(cell));
        expect([targets.length, Object.keys(changes).length, Object.keys(details)]).toEqual([1, 1, ['a']]);
      }),
      runs(200),
    );
  });
});

/** Returns the cells of one row (RFC 4180 §2) */
function cellsOf(row: string): string[] {
  return [...row.trimEnd().matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,"]*))(?=,|$)/gu)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
  );
}
