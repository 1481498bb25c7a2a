import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

const CHECK = fileURLToPath(new URL('../../../scripts/timing/check.mjs', import.meta.url));
const SUITE = 'packages/shop/src/sale.int.test.ts';
const HELPER = 'packages/e2e/src/customer.ts';
const TESTS = "import { describe, expect, it } from '@jest/globals';\n";
const DELAY = "import { setTimeout as pauseFor } from 'node:timers/promises';\n";
const WAIT = 'wait with eventually() of @legate/testing, which has a limit and says what it waited for';
const TIME = "do not measure time: count the work, or move this into a suite with needs('night')";
const MEMORY = "do not measure memory: move this into a suite with needs('night')";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'timing-'));
  execFileSync('git', ['init', '-q'], { cwd: root });
});
afterEach(() => rmSync(root, { recursive: true }));

/** A statement of a test, after `const startedAt = performance.now();` */
const VIOLATIONS: [string, string, string][] = [
  ['a clock in an expectation', 'expect(performance.now() - startedAt).toBeGreaterThan(2);', TIME],
  ['the clock on the wall in one', 'expect(Date.now()).toBe(startedAt);', TIME],
  ['the time of the processor', 'expect(process.cpuUsage().user).toBe(1);', TIME],
  ['a difference of times that is compared', 'if (Date.now() - startedAt > 5) throw new Error();', TIME],
  ['a limit of a measured time', 'const x = performance.now() - startedAt; expect(x).toBeLessThan(9);', TIME],
  [
    'a limit of measured times',
    'const all: number[] = []; all.push(Date.now() - startedAt); expect(all[0]).toBeLessThan(9);',
    TIME,
  ],
  ['a limit of something with the name of a time', 'expect(call.ms).toBeLessThanOrEqual(9);', TIME],
  ['a limit of memory', 'expect(process.memoryUsage().rss).toBeLessThan(9);', MEMORY],
  ['a limit of what the system says of memory', "expect(status['VmHWM']).not.toBeLessThan(9);", MEMORY],
  ['an endless loop that pauses', 'for (;;) await pauseFor(5);', WAIT],
  ['a loop with a timer of its own', 'while (!is) await new Promise((go) => setTimeout(go, 5));', WAIT],
  ['a loop that takes turns', 'while (!is) await new Promise((go) => setImmediate(go));', WAIT],
  ['a loop that pauses after it looked', 'do { look(); await scene.pause(5); } while (!is);', WAIT],
  ['a counted loop', 'for (let i = 0; i < 9; i += 1) { if (is) return; await pauseFor(5); }', WAIT],
];

describe('the check of what depends on speed', () => {
  it('names each violation in a test, its line, and what to write instead', () => {
    for (const [index, [, statement]] of VIOLATIONS.entries())
      write(suiteOf(index), `${DELAY}${TESTS}${inTest('it', statement)}`);
    const { status, stderr } = check();
    expect(status).toBe(1);
    expect(withCases(stderr)).toEqual(VIOLATIONS.map(([name, , text]) => `${name}: 4: ${text}`));
  });

  it('accepts each of them in a nightly suite', () => {
    for (const [index, [, statement]] of VIOLATIONS.entries())
      write(suiteOf(index), `${DELAY}const { it } = needs('night', 'Redis');\n${inTest('it', statement)}`);
    expect(check()).toEqual({ status: 0, stderr: [''] });
  });

  it('accepts them in nightly tests of a file that also has other tests', () => {
    const statement = 'expect(performance.now() - startedAt).toBeLessThan(2);';
    const others = inTest('it', 'expect(1).toBe(1);');
    write(SUITE, `${TESTS}${others}${inTest("needs('night').it", statement)}`);
    expect(check()).toEqual({ status: 0, stderr: [''] });

    write(SUITE, `${TESTS}const atNight = needs('night');\n${others}${inTest('atNight.it', statement)}`);
    expect(check()).toEqual({ status: 0, stderr: [''] });

    write(SUITE, `${TESTS}${others}const measure = async () => { ${statement} };\n`);
    expect(check().status).toBe(1);
  });

  it('refuses them in a helper, unless only nightly suites import it', () => {
    const night = "import './customer.ts';\nconst { it } = needs('night');\nit('a', () => undefined);\n";
    write(HELPER, 'export const come = async () => { while (!is) await sleep(5); };\n');
    expect(check()).toEqual({ status: 1, stderr: [`${HELPER}:1: ${WAIT}`, ''] });

    write('packages/e2e/src/night.test.ts', night);
    expect(check()).toEqual({ status: 0, stderr: [''] });

    write('packages/e2e/src/day.test.ts', night.replace('night', 'time'));
    expect(check().status).toBe(1);
  });

  it('ignores the benchmark and files that are not tests', () => {
    write('packages/bench/src/load.test.ts', `${TESTS}${inTest('it', 'for (;;) await sleep(5);')}`);
    write('packages/shop/src/sale.ts', 'export const wait = async () => { for (;;) await sleep(5); };\n');
    expect(check()).toEqual({ status: 0, stderr: [''] });
  });

  it('accepts deadlines, sizes that are counted, and loops that wait for no timer', () => {
    write(
      SUITE,
      `${DELAY}${TESTS}${inTest(
        'it',
        `
        expect(token.expiresAt).toBeGreaterThan(Date.now() / 1000 + 60);
        expect(memory.used).toBeLessThan(100);
        expect(answers.length).toBeLessThan(100);
        while (cursor) cursor = await next(cursor);
        for (const part of parts) await pauseFor(part);
        `,
      )}`,
    );
    expect(check()).toEqual({ status: 0, stderr: [''] });
  });
});

const suiteOf = (index: number) => `packages/shop/src/${String(index).padStart(2, '0')}.test.ts`;

/** Replaces the files of {@link suiteOf} by what their violations are called. */
const withCases = (lines: string[]) =>
  lines
    .filter((line) => line !== '')
    .map((line) =>
      line.replace(/^packages.shop.src.(\d+)\.test\.ts/, (_, index) => VIOLATIONS[Number(index)]?.[0] ?? ''),
    )
    .map((line) => line.replace(/^([^:]+):(\d+)/, '$1: $2'));

function inTest(declare: string, statements: string): string {
  return `${declare}('é', async () => { const startedAt = performance.now();\n${statements}\n});\n`;
}

function write(file: string, text: string): void {
  mkdirSync(join(root, dirname(file)), { recursive: true });
  writeFileSync(join(root, file), text);
}

function check() {
  const { status, stderr } = spawnSync(process.execPath, [CHECK, '--root', root], { encoding: 'utf8' });
  return { status, stderr: stderr.split('\n') };
}
