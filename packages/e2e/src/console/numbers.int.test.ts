/// <reference lib="dom" />
import { afterAll, expect } from '@jest/globals';
import { scene } from '@legate/dev';
import { eventually, needs } from '@legate/testing';
import type { Page, Request } from 'playwright-core';
import { openPostgres } from '../postgres-process.ts';
import { BUSY_AGENT, BUSY_SITE, fillOrganization, LAST } from './large-organization.ts';
import { setStage } from './stage.ts';
import { toolOf } from './visit.ts';

/** Counts the requests of the console for a large organization, and checks that no list is cut silently. */

const { describe, it, path } = needs('night', 'Chromium', 'PostgreSQL');
const ALICE = scene.USERS.alice.email;
/** Time at which a page's clock stands still */
const BEGIN = Date.parse('2030-01-01T00:00:00Z');

let postgres: Awaited<ReturnType<typeof openPostgres>>;
const stage = setStage(
  path.Chromium,
  ({ databaseUrl }) => fillOrganization(databaseUrl, { events: 1000 }),
  async () => {
    postgres = await openPostgres(path.PostgreSQL);
    await postgres.start();
    return { databaseServer: postgres.url };
  },
);
afterAll(() => postgres?.remove());

const PAGES = [
  '/',
  '/connectors',
  `/connectors/${scene.CONNECTOR}`,
  `/connectors/${scene.CONNECTOR}?tab=tools`,
  `/connectors/${scene.CONNECTOR}?tab=usedBy`,
  '/agents',
  `/agents/${BUSY_AGENT}`,
  '/sites',
  `/sites/${BUSY_SITE}`,
  '/members',
  '/members?tab=invitations',
  '/audit',
  '/inspector',
  '/settings',
  '/settings?tab=accounts',
  '/me',
];

interface Watched {
  readonly page: Page;
  /** Paths of the requests to the management API since the last call of `take`; waits until all are answered */
  take(): Promise<string[]>;
  open(path: string): Promise<void>;
}

async function watched(): Promise<Watched> {
  const { page } = await stage.visitAs(ALICE);
  const asked: string[] = [];
  const pending = new Set<Request>();
  page.on('request', (request) => {
    pending.add(request);
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/bff/api/')) asked.push(pathname);
  });
  page.on('requestfinished', (request) => pending.delete(request));
  page.on('requestfailed', (request) => pending.delete(request));
  return {
    page,
    async take() {
      await eventually('the answers', async () => pending.size, { until: (count) => count === 0 });
      return asked.splice(0);
    },
    async open(path) {
      await page.goto(`${stage.stack.urls.console}${path}`, { waitUntil: 'networkidle' });
      await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
    },
  };
}

it('requests at most three answers of the management API for a page', async () => {
  const { page, open, take } = await watched();
  const many: unknown[] = [];
  let total = 0;
  for (const path of PAGES) {
    await take();
    await open(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    const asked = await take();
    total += asked.length;
    if (asked.length > 3) many.push([path, asked]);
  }
  expect(many).toEqual([]);
  expect(total).toBeGreaterThan(PAGES.length);
});

it('requests once what is typed at once into the palette', async () => {
  const { page, take } = await watched();
  await page.clock.install();
  await page.clock.pauseAt(BEGIN);
  await take();
  await page.keyboard.press('Control+K');
  await page.keyboard.type('site');
  expect(await take()).toEqual([]);
  await page.clock.runFor(300); // the pause of the palette after the last key
  await page.clock.resume(); // to show the answers
  await page.getByText('Sites: the first 5 of 500').waitFor();
  expect((await take()).sort()).toEqual(
    ['agents', 'connectors', 'members', 'sites'].map((list) => `/bff/api/${list}`),
  );
});

describe('in a minute without a reader', () => {
  /** Opens a page and stops its clock. */
  async function still(path: string): Promise<Watched> {
    const visit = await watched();
    await visit.page.clock.install();
    await visit.open(path);
    await visit.page.clock.pauseAt(BEGIN);
    await visit.take();
    return visit;
  }

  /** Advances the clock by a minute, second by second, waiting for the responses of each second. */
  async function minute({ page, take }: Watched): Promise<number> {
    let asked = 0;
    for (let second = 0; second < 60; second++) {
      await page.clock.runFor(1000);
      asked += (await take()).length;
    }
    return asked;
  }

  it.each([
    ['/', 0, 0],
    ['/connectors', 0, 0],
    ['/audit', 11, 12],
  ])('%s requests %i to %i answers, and none in a hidden tab', async (path, least, most) => {
    const visit = await still(path);
    const asked = await minute(visit);
    expect(asked).toBeGreaterThanOrEqual(least);
    expect(asked).toBeLessThanOrEqual(most);
    await visit.page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, value: 'hidden' });
      document.dispatchEvent(new Event('visibilitychange'));
    });
    expect(await minute(visit)).toBe(0);
  });
});

describe('of what is longer than a page', () => {
  const inMain = (page: Page, text: string) => page.getByRole('main').getByText(text, { exact: true });
  const next = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Next page' });

  it.each([
    ['the agents of a connector', `/connectors/${scene.CONNECTOR}?tab=usedBy`, ['1–50 of 150']],
    ['connectors and sites of an agent', `/agents/${BUSY_AGENT}`, ['1–50 of 120', '1–50 of 500']],
    ['origins and agents of a site', `/sites/${BUSY_SITE}`, ['1–50 of 120', '1–50 of 150']],
    ['the accounts of a reader', '/me', ['1–50 of 119']],
  ])('shows %s with their number, by pages', async (_what, path, ranges) => {
    const { page, open } = await watched();
    await open(path);
    for (const [index, range] of ranges.entries()) {
      await inMain(page, range).waitFor();
      await next(page).nth(index).click();
      await inMain(page, range.replace('1–50', '51–100')).waitFor();
    }
    expect(
      await page
        .getByRole('main')
        .getByText(/^[a-z]+_large_(?!001$)\d+$/)
        .count(),
    ).toBe(0); // names, and no ids
  });

  it('finds the last connector to bind, and the last agent for a site, by name', async () => {
    const { page, open } = await watched();
    for (const [path, button, field, listed, last] of [
      ['/agents/agt_large_002', 'Bind connector', 'Connector', '100 of 120 are listed', LAST.connector],
      ['/sites/site_large_002', 'Add agent', 'Agent', '100 of 150 are listed', LAST.agent],
    ] as const) {
      await open(path);
      await page.getByRole('button', { name: button }).click();
      const form = page.getByRole('dialog');
      await form.getByText(listed).waitFor();
      const choice = form.getByLabel(field, { exact: true });
      expect(await choice.getByRole('option', { name: last }).count()).toBe(0);
      await form.getByLabel('Find by name').fill(last);
      await choice.getByRole('option', { name: last }).waitFor({ state: 'attached' });
      await choice.selectOption({ label: last });
      await form.getByLabel('Find by name').fill('0');
      await choice
        .getByRole('option', { name: 'Tools 010' })
        .or(choice.getByRole('option', { name: 'Agent 010' }))
        .first()
        .waitFor({ state: 'attached' });
      expect(await choice.locator('option:checked').innerText()).toBe(last);
    }
  });

  it('inspects a connector that is not listed, and says so', async () => {
    const { page, open } = await watched();
    await open('/inspector?connector=con_large_119');
    await page.getByText('100 of 120 are listed').waitFor();
    await page.getByRole('option', { name: LAST.connector }).waitFor({ state: 'attached' });
    expect(await page.getByLabel('Connector', { exact: true }).inputValue()).toBe('con_large_119');
  });

  it('says how many agents a call may go through', async () => {
    const { page, open } = await watched();
    await open(`/connectors/${scene.CONNECTOR}?tab=tools`);
    await toolOf(page, 'whoami').getByRole('button', { name: 'Call as me' }).click();
    await page.getByRole('dialog').getByText('100 of 150 are listed').waitFor();
  });
});
