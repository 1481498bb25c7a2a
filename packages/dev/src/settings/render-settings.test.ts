import { expect, it } from '@jest/globals';
import type { Setting } from '@legate/service';
import { renderSettings } from './render-settings.ts';

const setting = (name: string, more: Partial<Setting> = {}): Setting => ({
  name,
  description: `${name} means this.`,
  when: 'Who.',
  values: undefined,
  defaultValue: undefined,
  required: false,
  example: undefined,
  secret: false,
  ...more,
});
const rowsOf = (text: string, heading: string): string[] =>
  (text.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('| `'));

it('has one row for each name: first settings of all services, then of several, then the rest', () => {
  const text = renderSettings(
    new Map([
      ['a', [setting('ONLY_A'), setting('SHARED'), setting('HOST')]],
      ['b', [setting('HOST'), setting('SHARED')]],
      ['c', [setting('HOST')]],
    ]),
  );
  expect(rowsOf(text, 'All settings')).toEqual([
    '| `HOST` | all | HOST means this. | Who. |  |  |',
    '| `SHARED` | a, b | SHARED means this. | Who. |  |  |',
    '| `ONLY_A` | a | ONLY_A means this. | Who. |  |  |',
  ]);
});

it('names the services where a setting differs between them', () => {
  const text = renderSettings(
    new Map([
      ['a', [setting('PORT', { defaultValue: '1', description: 'Port.' })]],
      ['b', [setting('PORT', { defaultValue: '2', description: 'Port.', when: 'Others.' })]],
      ['c', [setting('PORT', { required: true, description: 'Port.' })]],
    ]),
  );
  expect(rowsOf(text, 'All settings')).toEqual([
    '| `PORT` | all | Port. | a, c: Who.<br>b: Others. | a: `1`<br>b: `2`<br>c: **required** |  |',
  ]);
});

it('marks secrets and required settings, and keeps the table valid', () => {
  const text = renderSettings(
    new Map([
      [
        'a',
        [
          setting('KEY', { secret: true, required: true }),
          setting('MODE', { values: 'x, y', example: 'x|y' }),
        ],
      ],
    ]),
  );
  expect(rowsOf(text, 'All settings')).toEqual([
    '| `KEY` 🔒 | all | KEY means this. | Who. | **required** |  |',
    '| `MODE` | all | MODE means this. (x, y) | Who. |  | `x\\|y` |',
  ]);
});
