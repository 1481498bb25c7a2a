/// <reference lib="dom" />
import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { scene, text } from '@legate/dev';
import type { TestServer } from '@legate/service/testing';
import { needs } from '@legate/testing';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../chromium.ts';
import { type StackUnderTest, startStackUnderTest } from '../stack-under-test.ts';
import { FORGED, startHostileWords } from './hostile-words.ts';
import { addMember, apiAs } from './people.ts';
import { signIn, type Visit, visit } from './visit.ts';

/** Checks that every page shows texts of a tool server as quoted text, and marks them as texts of the server. */

const { it, path } = needs('time', 'Chromium');
const { alice } = scene.USERS;
/** An agent's and a connector's name, which people choose, and the export holds */
const FORMULA = '=cmd|calc';
const MARKUP_NAME = '<img src=x onerror="globalThis.harmed = true">';
const PERSON = { email: 'formula@acme.example', name: '=cmd()', role: 'viewer' } as const;
/** Each must be written out where it is shown. */
const UNSEEN = ['\u202E', '\u202C', '\u200B', '\u{E0041}', '\u001B'];

let chromium: Browser;
let stack: StackUnderTest;
let server: TestServer;
let connectorId: string;
let agentId: string;
let visitor: Visit;

beforeAll(async () => {
  [chromium, stack, server] = await Promise.all([
    launchChromium(path.Chromium),
    startStackUnderTest(),
    startHostileWords(),
  ]);
  const api = await apiAs(stack, alice.email);
  const connector = { name: FORMULA, resource_url: server.url, auth_method: 'service' };
  connectorId = text(
    await api('POST', '/connectors', { ...connector, service_kind: 'api_key', secret: 'key-of-the-hub' }),
    'id',
  );
  agentId = text(await api('POST', '/agents', { name: FORMULA, status: 'active' }), 'id');
  await api('PUT', `/agents/${agentId}/connectors/${connectorId}`, { tools: ['words', FORGED] });
  await api('POST', '/sites', { name: MARKUP_NAME });
  await addMember(stack, PERSON);
  const asPerson = await apiAs(stack, PERSON.email);
  await asPerson('GET', '/me');
  visitor = await visit(chromium, { viewport: { width: 1280, height: 800 }, acceptDownloads: true });
  await signIn(visitor, stack.urls.console, alice.email);
});
afterAll(async () => {
  await chromium?.close();
  await stack?.stop();
  await server?.stop();
});

async function open(path: string, shown: string): Promise<Page> {
  const { page } = visitor;
  await page.goto(`${stack.urls.console}${path}`);
  await page.getByRole('main').getByText(shown).first().waitFor();
  return page;
}

/** The parts of a page that seem to come from us: its title, accessible names, and messages. */
const ownVoice = (page: Page): Promise<string> =>
  page.evaluate(() =>
    [
      document.title,
      ...[...document.querySelectorAll('[aria-label], [title], [alt]')].flatMap((element) =>
        ['aria-label', 'title', 'alt'].map((name) => element.getAttribute(name) ?? ''),
      ),
      ...[...document.querySelectorAll('h1, h2, button, [role=alert]')].map(({ textContent }) => textContent),
    ].join('\n'),
  );

async function expectHarmless(page: Page): Promise<void> {
  expect(await page.evaluate(() => 'harmed' in globalThis)).toBe(false);
  expect(visitor.foreign).toEqual([]);
  expect(
    await page.locator('main img, dialog img, main script, dialog script, a[href^="javascript:"]').count(),
  ).toBe(0);
  const said = await ownVoice(page);
  for (const words of [FORGED, 'onerror', 'javascript:', 'longlong', '\u202E'])
    expect(said).not.toContain(words);
  // No page contains an invisible character: all are written out.
  const shown = await page.evaluate(() => document.body.innerText);
  expect(UNSEEN.filter((character) => shown.includes(character))).toEqual([]);
  // Chromium logs an error for a call that is refused or fails.
  expect(visitor.complaints.splice(0).filter((each) => !/status of \d+/.test(each))).toEqual([]);
}

const toolAt = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name }).first();

it.each([
  ['the connectors', () => '/connectors'],
  ['a connector', () => `/connectors/${connectorId}`],
  ['the connectors of an agent', () => `/agents/${agentId}`],
  ['the agents of a connector', () => `/connectors/${connectorId}?tab=usedBy`],
  ['the agents', () => '/agents'],
])('is harmless on the page of %s', async (_page, address) => {
  const page = await open(address(), FORMULA);
  await expectHarmless(page);
});

it('shows each tool of a binding on its own, and quotes what is no plain name', async () => {
  for (const path of [`/agents/${agentId}`, `/connectors/${connectorId}?tab=usedBy`]) {
    const page = await open(path, FORMULA);
    const row = page.getByRole('row').filter({ hasText: FORMULA });
    await row.getByText('words', { exact: true }).waitFor();
    await row.locator('q').getByText(FORGED, { exact: true }).waitFor();
  }
});

it('is harmless in the list of sites, on Home, in the list of members and in the palette', async () => {
  await expectHarmless(await open('/sites', MARKUP_NAME));
  await expectHarmless(await open('/', 'Identity provider'));
  const page = await open('/members', PERSON.name);
  await expectHarmless(page);
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog');
  await palette.getByRole('combobox').fill('cmd');
  await palette.getByText(FORMULA).first().waitFor();
  await expectHarmless(page);
});

it('copies a call as a command that runs nothing else, whatever the tool is called', async () => {
  const page = await open(`/connectors/${connectorId}?tab=tools`, 'touch harmed');
  await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await toolAt(page, 'touch harmed').getByRole('button', { name: 'Call as me' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Call', exact: true }).click();
  await page.getByRole('button', { name: 'Call tool' }).click();
  await page.getByRole('button', { name: 'Copy as curl' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  const command = await page.evaluate(() => navigator.clipboard.readText());
  await expectHarmless(page);
  const folder = await mkdtemp(join(tmpdir(), 'console-shell-'));
  try {
    const said = execFileSync('/bin/sh', ['-c', `curl() { printf '%s\\n' "$2"; }\n${command}`], {
      cwd: folder,
      encoding: 'utf8',
      timeout: 30_000,
    });
    expect(decodeURIComponent(said)).toContain("/tools/'; touch harmed;");
    expect(await readdir(folder)).toEqual([]);
  } finally {
    await rm(folder, { recursive: true });
  }
});

it('is harmless in the list of tools, where hidden characters are counted', async () => {
  const page = await open(`/connectors/${connectorId}?tab=tools`, 'cyclic');
  await page.getByText('hidden characters').first().waitFor();
  await page.getByText('⟨U+202E⟩').first().waitFor();
  await expectHarmless(page);
});

it('is harmless in the form of each tool', async () => {
  const page = await open(`/connectors/${connectorId}?tab=tools`, 'cyclic');
  const buttons = page.getByRole('button', { name: 'Call as me' });
  const count = await buttons.count();
  expect(count).toBeGreaterThan(5);
  for (let at = 0; at < count; at++) {
    await buttons.nth(at).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Call', exact: true }).waitFor();
    await expectHarmless(page);
    await page.keyboard.press('Escape');
  }
});

it.each([
  ['words', 'allowed'],
  ['flood', 'allowed'],
  ['oversize', 'Why?'],
  ['cyclic', 'Why?'],
])('is harmless in the answer of %s', async (name, shown) => {
  const page = await open(`/connectors/${connectorId}?tab=tools`, name);
  await toolAt(page, name).getByRole('button', { name: 'Call as me' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Call', exact: true }).click();
  await dialog.getByText(shown).first().waitFor();
  for (const tab of await dialog.getByRole('region', { name: 'Result' }).getByRole('tab').all()) {
    await tab.click();
    await expectHarmless(page);
  }
  await expectHarmless(page);
});

it('asks before a call whose name imitates our texts, without showing it as our text', async () => {
  const page = await open(`/connectors/${connectorId}?tab=tools`, 'cyclic');
  await toolAt(page, 'Approved by').getByRole('button', { name: 'Call as me' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Call', exact: true }).click();
  await page.getByText('Call this tool as you?').waitFor();
  await expectHarmless(page);
  await page.getByRole('button', { name: 'Call tool' }).click();
  await page.getByRole('region', { name: 'Result' }).waitFor();
  await page.getByRole('link', { name: 'Why?' }).click();
  await page.getByRole('dialog', { name: /^Why/ }).getByText('request').first().waitFor();
  await expectHarmless(page);
});

it('is harmless in the tools that an agent is given', async () => {
  const page = await open(`/agents/${agentId}`, 'words');
  await page.getByRole('row').filter({ hasText: FORMULA }).getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('dialog').getByLabel('cyclic').waitFor();
  await expectHarmless(page);
});

it('is harmless in the audit trail, on Me, in the Inspector and in the export', async () => {
  await expectHarmless(await open('/audit', 'Alice'));
  await expectHarmless(await open('/me', 'In my name'));
  const inspector = await open(`/inspector?connector=${connectorId}`, 'Runs the steps of a tool call');
  await inspector.getByRole('button', { name: 'Run as me' }).click();
  await inspector.getByRole('button', { name: 'Run as me', disabled: false }).waitFor();
  await expectHarmless(inspector);

  const page = await open('/audit', 'Alice');
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const csv = await readFile(await (await saved).path(), 'utf8');
  expect(csv).toContain(`,'${PERSON.name},`);
  expect(csv).not.toMatch(/(?:^|,)"?[=+@]/m);
});
