import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { commandTable } from './command-table.ts';
import { cliReference } from './reference.ts';

it('is equal to the documentation page, which npm run documents writes', () => {
  const page = new URL('../../../docs/reference/cli.md', import.meta.url);
  expect(readFileSync(page, 'utf8')).toBe(cliReference());
});

it('contains examples that begin with the command, and summaries without a full stop', () => {
  for (const { name, summary, examples } of commandTable('').commands) {
    expect(summary).toMatch(/^[A-Z].*[^.]$/);
    for (const { typed } of examples) expect(typed).toContain(`legate ${name.replace(/ list$/, '')}`);
  }
});
