import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { findKind, type KindName } from './index.ts';
import { ROWS_BY_KIND } from './refusal-rows.ts';

const page = new URL('../../../docs/how-to/oauth-refusals.md', import.meta.url);
const REFUSALS = readFileSync(page, 'utf8').toLowerCase().split('\n');

it.each(Object.entries(ROWS_BY_KIND))('compares only texts of %s that the page lists', (kind, table) => {
  const title = findKind(kind as KindName)
    .title.replace('Microsoft ', '')
    .toLowerCase();
  const rows = REFUSALS.filter((line) => line.startsWith(`| ${title} |`)).join('\n');
  const compared = table.flatMap(({ when: { says, codes = [] } }) => [
    ...(says === undefined ? [] : [says]),
    ...codes.map((code) => `aadsts${code}`),
  ]);
  expect(compared.length).toBeGreaterThan(0);
  for (const text of compared) expect(rows).toContain(text.toLowerCase());
});
