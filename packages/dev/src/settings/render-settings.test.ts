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

it('lists common settings once, and for each service its own', () => {
  const text = renderSettings(
    new Map([
      ['a', [setting('HOST'), setting('PORT', { defaultValue: '1' }), setting('ONLY_A')]],
      ['b', [setting('HOST'), setting('PORT', { defaultValue: '2' })]],
    ]),
  );
  expect(rowsOf(text, 'All services')).toEqual(['| `HOST` | HOST means this. | Who. |  |  |']);
  expect(rowsOf(text, 'a')).toEqual([
    '| `PORT` | PORT means this. | Who. | `1` |  |',
    '| `ONLY_A` | ONLY_A means this. | Who. |  |  |',
  ]);
  expect(rowsOf(text, 'b')).toEqual(['| `PORT` | PORT means this. | Who. | `2` |  |']);
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
  expect(rowsOf(text, 'All services')).toEqual([
    '| `KEY` 🔒 | KEY means this. | Who. | **required** |  |',
    '| `MODE` | MODE means this. (x, y) | Who. |  | `x\\|y` |',
  ]);
});
