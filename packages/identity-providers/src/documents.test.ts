import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { HINTS_BY_KIND } from './error-hints.ts';
import { findKind, KIND_NAMES, type KindName } from './index.ts';

const textOf = (page: string) => readFileSync(new URL(`../../../docs/${page}`, import.meta.url), 'utf8');
const REFERENCE = textOf('reference/identity-providers.md');
const REFUSALS = textOf('how-to/oauth-refusals.md').toLowerCase().split('\n');

function rowOf(name: KindName): string {
  const kind = findKind(name);
  const types = kind.accessTokenTypes.map((type) => (type === 'absent' ? 'none' : `\`${type}\``));
  const subject = kind.idJagSubject?.replace('_', ' ').replace('id', 'ID') ?? '–';
  const audience = kind.assertionAudience.replace('_', ' ');
  return `| \`${name}\` | ${kind.title} | ${subject} | ${audience} | ${types.join(', ')} |`;
}

it('has the same kinds as the reference', () => {
  const rows = REFERENCE.split('\n').filter((line) =>
    KIND_NAMES.some((name) => line.startsWith(`| \`${name}\` |`)),
  );
  expect(rows).toEqual(KIND_NAMES.map(rowOf));
});

it.each(Object.entries(HINTS_BY_KIND))('compares only texts of %s that the page lists', (kind, hints) => {
  const title = findKind(kind as KindName)
    .title.replace('Microsoft ', '')
    .toLowerCase();
  const rows = REFUSALS.filter((line) => line.startsWith(`| ${title} |`)).join('\n');
  const compared = hints.flatMap(
    ({ when: { says, code } }) => says ?? (code === undefined ? [] : `aadsts${code}`),
  );
  expect(compared.length).toBeGreaterThan(0);
  for (const text of compared) expect(rows).toContain(text.toLowerCase());
});
