import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const DOCUMENTS = execFileSync('git', ['ls-files', '*.md'], { cwd: ROOT, encoding: 'utf8' })
  .trim()
  .split('\n');

/** Returns the anchor of a heading, as GitHub does. */
const anchorOf = (heading: string): string =>
  heading
    .replace(/[`*_]|\[|\]\([^)]*\)/g, '')
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

const prose = (path: string): string => readFileSync(path, 'utf8').replace(/^```[\s\S]*?^```/gm, '');
/** Anchors of headings, and anchors that a page keeps for sections that moved to another page (`<a id="…">`). */
const anchorsOf = (path: string): string[] => [
  ...[...prose(path).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading)),
  ...[...prose(path).matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id),
];

it.each(DOCUMENTS)('%s has only valid links', (document) => {
  const links = [...prose(join(ROOT, document)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  const broken = links
    .filter((link) => !/^(https?|mailto):/.test(link))
    .filter((link) => {
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? join(ROOT, document) : join(ROOT, dirname(document), path);
      if (!existsSync(target)) return true;
      return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).includes(anchor);
    });
  expect(broken).toEqual([]);
});
