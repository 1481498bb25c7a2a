/// <reference lib="dom" />
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { ROOT } from '@legate/dev';
import { needs } from '@legate/testing';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../chromium.ts';
import { readDiagrams } from './blocks.ts';

const { it, path } = needs('Chromium');

// The package exports only the module for bundlers.
const MERMAID = join(
  dirname(createRequire(import.meta.url).resolve('mermaid/package.json')),
  'dist/mermaid.min.js',
);
const documents = execFileSync('git', ['ls-files', '*.md'], { cwd: ROOT, encoding: 'utf8' })
  .trim()
  .split('\n');
const diagrams = documents.flatMap((document) =>
  readDiagrams(readFileSync(`${ROOT}${document}`, 'utf8')).map(
    ({ line, text }) => [document, line, text] as const,
  ),
);

let browser: Browser | undefined;
let page: Page;
beforeAll(async () => {
  browser = await launchChromium(path.Chromium);
  page = await browser.newPage();
  await page.addScriptTag({ path: MERMAID });
});
afterAll(() => browser?.close());

/** Runs in the page. @returns the fault of a diagram, or an empty text */
const faultOf = (text: string): Promise<string> =>
  (window as unknown as { mermaid: { parse(text: string): Promise<unknown> } }).mermaid.parse(text).then(
    () => '',
    (err: unknown) => String(err),
  );

it.each(diagrams)('%s:%d: the diagram can be drawn', async (_document, _line, text) => {
  expect(await page.evaluate(faultOf, text)).toBe('');
});

it('detects a diagram that cannot be drawn', async () => {
  expect(await page.evaluate(faultOf, 'sequenceDiagram\n  A->>')).toContain('Parse error');
});
