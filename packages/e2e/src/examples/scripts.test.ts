import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from '@legate/dev';

const EXAMPLES = readdirSync(`${ROOT}examples`, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
/** An example whose tests are short, and need no stack */
const WITHOUT_STACK = ['tool-server-any-language'];

describe.each(EXAMPLES)('the example %s', (name) => {
  const folder = `${ROOT}examples/${name}`;
  const { scripts } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as {
    scripts: Record<string, string>;
  };

  it('has a README and `npm start`', () => {
    expect([existsSync(`${folder}/README.md`), scripts.start]).toEqual([true, expect.any(String)]);
  });

  it('has `npm test`, which leaves out none of its tests', () => {
    const before = WITHOUT_STACK.includes(name) ? '' : 'LONG_TESTS=true ';
    const prefix = `${before}npm test --prefix ../../packages/e2e -- --testPathPatterns src/examples`;
    expect(scripts.test?.startsWith(prefix)).toBe(true);
  });
});
