import { expect, it } from '@jest/globals';
import { agentHub } from '../testing/agent-hub.ts';
import type { LegateTool } from '../tool.ts';
import { describeCall } from './approval.ts';

const TOOL = { name: 'notes_create', title: 'Create a note', slug: 'notes' } as LegateTool;
const argumentsOf = (text: string) =>
  describeCall(agentHub().legate, TOOL, { text }).split('\n').slice(1).join('\n');

it.each([
  ['an override of direction', 'pay \u202e001\u202c to', 'pay \\u202e001\\u202c to'],
  ['an isolate', '\u2066a\u2069', '\\u2066a\\u2069'],
  ['a blank that is a letter', 'a\u3164b\u2800c\u115f', 'a\\u3164b\\u2800c\\u115f'],
  ['a soft hyphen and a byte order mark', 'a\u00adb\ufeffc', 'a\\u00adb\\ufeffc'],
  ['a tag, of two units', 'a\u{e0041}b', 'a\\udb40\\udc41b'],
  ['a line separator', 'a\u2028b', 'a\\u2028b'],
])('escapes %s in an argument', (_what, text, shown) => {
  expect(argumentsOf(text)).toBe(`{\n  "text": "${shown}"\n}`);
});

it.each(['Grüße', 'می‌خواهم', '👩‍💻 ❤️', '日本語', 'a "quoted"'])('leaves %j unchanged', (text) => {
  expect(argumentsOf(text)).toBe(JSON.stringify({ text }, undefined, 2));
});

it('escapes such characters in the description of a tool', () => {
  const [heading] = describeCall(agentHub().legate, { ...TOOL, title: 'Create\n\u202eetaerC' }, {}).split(
    '\n',
  );
  expect(heading).toContain('Create \\u202eetaerC (notes)');
});
