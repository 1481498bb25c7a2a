import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

const CHECK = fileURLToPath(new URL('../../../scripts/providers/check.mjs', import.meta.url));
const KINDS = 'packages/identity-providers/src/kinds.ts';
const HUB = 'apps/tool-hub/src/sign-in/claims.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'provider-names-'));
  execFileSync('git', ['init', '-q'], { cwd: root });
  write(KINDS, 'export const KINDS = { generic: { a: 1 }, acme: { a: 2 } } as const satisfies object;\n');
});
afterEach(() => rmSync(root, { recursive: true }));

function write(file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}

function check(): string[] {
  const { stderr, status } = spawnSync(process.execPath, [CHECK, '--root', root], { encoding: 'utf8' });
  const faults = stderr.split('\n').filter(Boolean);
  expect(status).toBe(faults.length === 0 ? 0 : 1);
  return faults;
}

describe('the check of the names of providers', () => {
  it.each([
    ['a condition', "export const a = (kind: string) => kind === 'acme';"],
    ['a name', 'export const isAcmeUser = true;'],
    ['a member', 'export const a = { acmeSub: 1 };'],
    ['a constant', 'const ACME_PREFIX = 1;\nexport { ACME_PREFIX as prefix };'],
    ['a pattern', 'export const a = /\\.acme\\.com$/;'],
    ['an address', 'export const a = `https://idp.acme.com`;'],
    ['a vendor that is no kind', "export const a = 'login.microsoft.example';"],
  ])('finds it in %s', (_case, code) => {
    write(HUB, `// a comment\n${code}\n`);
    const [fault = ''] = check();
    expect(fault).toMatch(
      new RegExp(`^${HUB}:2: names (acme|microsoft): move the difference into ${KINDS}$`),
    );
  });

  it('lets comments, sentences, tests and other packages name a provider', () => {
    const condition = "export const a = (kind: string) => kind === 'acme';\n";
    write(HUB, "// as Acme writes it\nexport const help = 'Operators who have Acme need this.';\n");
    write('apps/tool-hub/src/sign-in/claims.test.ts', condition);
    write('apps/tool-hub/src/testing/fake.ts', condition);
    write('packages/personalities/src/acme.ts', condition);
    expect(check()).toEqual([]);
  });

  it('lets other words contain the name, and allows the kind of all other providers', () => {
    write(HUB, "export const acmeist = ['acmes', 'generic'];\n");
    expect(check()).toEqual([]);
  });
});
