import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { AUDIT_ACTIONS } from '@legate/management-contract';

const page = readFileSync(new URL('../../../../docs/reference/hub/audit.md', import.meta.url), 'utf8');

/** Returns the actions in the first column of the tables of events. `.denied` is of the same kind as the one before. */
function actionsOf(page: string): string[] {
  return page
    .split('| Event | Meaning |')
    .slice(1)
    .flatMap((part) => {
      const [table = ''] = part.trimStart().split('\n\n');
      let kind = '';
      return [...table.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell = '']) =>
        [...cell.matchAll(/`(\w*)\.(\w+)`/g)].map(([, named, what]) => {
          kind = named || kind;
          return `${kind}.${what}`;
        }),
      );
    });
}

it('describes each action of the audit trail once, and no other', () => {
  expect(actionsOf(page).sort()).toEqual([...AUDIT_ACTIONS].sort());
});
