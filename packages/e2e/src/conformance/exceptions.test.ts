import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { exceptedAt, PASSED_DIRECTLY, readExceptions } from './exceptions.ts';
import { REVISIONS } from './suite.ts';

const rowOf = ({ revisions, scenario, checks, why }: Awaited<ReturnType<typeof readExceptions>>[number]) =>
  `| ${revisions.join(', ')} | \`${scenario}\` | ${checks.map((check) => `\`${check}\``).join(', ')} | ${why} |`;

/** The rows of the page's tables that begin with a revision */
async function readRows(form: RegExp): Promise<string[]> {
  const page = await readFile(new URL('../../../../docs/mcp-conformance.md', import.meta.url), 'utf8');
  return page.split('\n').filter((line) => /^\| \d{4}-/.test(line) && form.test(line));
}

describe('the exceptions of the conformance suite', () => {
  it('are the rows of docs/mcp-conformance.md', async () => {
    expect(await readRows(/`/)).toEqual((await readExceptions()).map(rowOf));
  });

  it('leave the number of checks that docs/mcp-conformance.md states', async () => {
    const exceptions = await readExceptions();
    const counts = PASSED_DIRECTLY.map(
      ([revision, passed]) =>
        `| ${revision} | ${passed} | ${passed - exceptedAt(exceptions, revision).length} |`,
    );
    expect(await readRows(/^[^`]*$/)).toEqual(counts);
  });

  it('list each check of a revision once', async () => {
    const exceptions = await readExceptions();
    for (const revision of REVISIONS) {
      const excepted = exceptedAt(exceptions, revision);
      expect(excepted).toEqual([...new Set(excepted)]);
    }
  });
});
