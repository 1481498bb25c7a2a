import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { findKind, KIND_NAMES, type KindName } from './index.ts';

const REFERENCE = readFileSync(
  new URL('../../../docs/reference/identity-providers.md', import.meta.url),
  'utf8',
);

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
