import { afterAll, expect } from '@jest/globals';
import { developmentEncryptionKeys, scene } from '@legate/dev';
import { type RedisProcess, startRedisProcess } from '@legate/secure-store/testing';
import { eventually, needs } from '@legate/testing';
import type { Page } from 'playwright-core';
import { setStage } from './stage.ts';
import { askByHand } from './visit.ts';

/** Tests the message of a page if a service behind it fails; the rest of the page works. */

const { describe, it, path } = needs('night', 'Chromium', 'Redis');
const { alice } = scene.USERS;

/** The store of the console's sessions: no other service uses it. It keeps what it acknowledged across a restart. */
let redis: RedisProcess;
const stage = setStage(path.Chromium, undefined, async () => {
  redis = await startRedisProcess(path.Redis, ['--appendonly', 'yes', '--appendfsync', 'always']);
  return { env: { console: { REDIS_URL: redis.url, ENCRYPTION_KEYS: developmentEncryptionKeys() } } };
});
afterAll(() => redis?.remove());

const go = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click();
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
const healthOf = (page: Page, service: string): Promise<string> =>
  page.getByRole('listitem').filter({ hasText: service }).last().innerText();

/** Reloads Home until it reports the failure of a service; the console checks each at most every ten seconds. */
async function homeSays(page: Page, service: string, words: string): Promise<void> {
  const look = async () => {
    await page.goto(stage.stack.urls.console);
    await page.getByText('Identity provider', { exact: true }).waitFor();
    await page.getByText('loading').first().waitFor({ state: 'detached' });
    return healthOf(page, service);
  };
  await eventually(`${service}: ${words}`, look, {
    pauseMs: 200,
    until: (said) => said.endsWith(words),
  });
}

describe('a stopped service is named, and the rest works:', () => {
  it('the hub', async () => {
    const { page } = await stage.visitAs(alice.email);
    await stage.stack.kill('tool-hub');
    try {
      await page.goto(`${stage.stack.urls.console}/connectors/${scene.CONNECTOR}?tab=tools`);
      await page.getByRole('alert').getByText('The hub does not answer.').waitFor();
      await go(page, 'Connectors');
      await page.getByRole('link', { name: 'Reference tools' }).waitFor();
      await homeSays(page, 'Hub', 'does not answer');
      expect(await healthOf(page, 'Management API')).toContain('answers');
    } finally {
      await stage.stack.restart('tool-hub');
    }
    await page.goto(`${stage.stack.urls.console}/connectors/${scene.CONNECTOR}?tab=tools`);
    await page.getByText('whoami', { exact: true }).waitFor();
  });

  it('the hub, at which sessions may go on after “Sign out everywhere”', async () => {
    const { page } = await stage.visitAs(alice.email);
    await stage.stack.kill('tool-hub');
    try {
      await page.goto(`${stage.stack.urls.console}/me`);
      await page.getByRole('button', { name: 'Sign out everywhere' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click();
      const dialog = page.getByRole('dialog', { name: 'The hub did not answer' });
      await dialog.getByText('Those of applications and agents may go on').waitFor();
      expect(await askByHand(page, 'GET', '/bff/session')).toBe(204);
    } finally {
      await stage.stack.restart('tool-hub');
    }
  });

  it('the management API, and "Try again" goes on from there', async () => {
    const { page } = await stage.visitAs(alice.email);
    await go(page, 'Inspector');
    await heading(page, 'Inspector');
    await stage.stack.kill('management-api');
    try {
      await go(page, 'Sites');
      await page.getByRole('alert').getByText('The management API does not answer.').first().waitFor();
      await page.reload();
      await page.getByRole('alert').getByText('The management API does not answer.').first().waitFor();
    } finally {
      await stage.stack.restart('management-api');
    }
    await page.getByRole('button', { name: 'Try again', exact: true }).first().click();
    await page.getByText('A site is an application that embeds agents.').waitFor();
  });

  it('the identity provider', async () => {
    const { page } = await stage.visitAs(alice.email);
    // Not killed: with the new signing keys of a restart, nobody can sign in until the services ask for them again.
    stage.stack.signal('mock-idp', 'SIGSTOP');
    try {
      await homeSays(page, 'Identity provider', 'does not answer');
      expect(await healthOf(page, 'Hub')).toContain('answers');
      await go(page, 'Connectors');
      await page.getByRole('link', { name: 'Reference tools' }).waitFor();
    } finally {
      stage.stack.signal('mock-idp', 'SIGCONT');
    }
  });

  it('the store of sessions, and everybody is still signed in when it is back', async () => {
    const { page } = await stage.visitAs(alice.email);
    await redis.kill();
    try {
      await go(page, 'Sites');
      await page.getByRole('alert').getByText('Sessions unavailable').first().waitFor();
      await page.reload();
      await page.getByRole('heading', { level: 1, name: 'The console is not available' }).waitFor();
      await page.getByRole('alert').getByText('Sessions unavailable').waitFor();
    } finally {
      await redis.restart();
    }
    const back = async () => {
      if (await page.getByRole('heading', { level: 1, name: 'Sites' }).isVisible()) return true;
      const button = page.getByRole('button', { name: 'Try again', exact: true });
      await button.click({ timeout: 1000 }).catch(() => undefined);
      return false;
    };
    await eventually('the page of the sites', back, { pauseMs: 500, until: (isBack) => isBack });
  });
});

/** Filters the connectors by name and method; the URL has both filters. */
async function filterConnectors(page: Page): Promise<void> {
  await page.getByRole('searchbox', { name: 'Find by name' }).fill('Reference');
  await page.waitForURL(/search=Reference/);
  await page.getByLabel('Method').selectOption({ label: 'ID-JAG' });
  await page.waitForURL(/method=/);
  await page.getByRole('link', { name: 'Reference tools' }).waitFor();
}

/** Returns the filters that the page shows, once its row is visible. */
async function filtersOf(page: Page): Promise<string[]> {
  await page.getByRole('link', { name: 'Reference tools' }).waitFor();
  const method = page.getByLabel('Method').locator('option:checked');
  return [await page.getByRole('searchbox', { name: 'Find by name' }).inputValue(), await method.innerText()];
}

it('keeps the filters of a list on Back, on reload, and when the session ends midway', async () => {
  const { page, context } = await stage.visitAs(alice.email);
  await go(page, 'Connectors');
  await filterConnectors(page);
  await page.getByRole('link', { name: 'Reference tools' }).click();
  await heading(page, 'Reference tools');
  await page.goBack();
  expect(await filtersOf(page)).toEqual(['Reference', 'ID-JAG']);
  await page.reload();
  expect(await filtersOf(page)).toEqual(['Reference', 'ID-JAG']);

  await context.clearCookies({ name: 'console' });
  await page.getByRole('button', { name: 'Name' }).click();
  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  await dialog.getByRole('link', { name: 'Sign in' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await filtersOf(page)).toEqual(['Reference', 'ID-JAG']);
});

it('enables Try again after the time that a service asks for', async () => {
  const { page } = await stage.visitAs(alice.email);
  await page.clock.install();
  await page.route('**/bff/api/sites*', (route) =>
    route.fulfill({
      status: 429,
      headers: { 'Retry-After': '9' },
      contentType: 'application/problem+json',
      body: JSON.stringify({ title: 'Too many requests', code: 'rate_limited', status: 429 }),
    }),
  );
  await go(page, 'Sites');
  const alert = page.getByRole('alert').filter({ hasText: 'Too many requests' });
  const wait = alert.getByRole('button', { name: /^Try again in \d s$/ });
  await wait.waitFor();
  expect(await wait.getAttribute('aria-disabled')).toBe('true');
  await page.unroute('**/bff/api/sites*');
  for (let second = 0; second < 9; second++) await page.clock.runFor(1000);
  await alert.getByRole('button', { name: 'Try again', exact: true }).click();
  await alert.waitFor({ state: 'detached' });
  await page.getByText('A site is an application that embeds agents.').waitFor();
});

it('explains a problem on the page of its service, and keeps the navigation where there is no page', async () => {
  const page = await stage.pageOf(alice.email, '/connectors/con_nothing');
  const code = page.getByRole('alert').getByRole('link', { name: 'not_found' });
  const explained = await page.context().request.get((await code.getAttribute('href')) ?? '');
  expect([explained.status(), await explained.text()]).toEqual([200, expect.stringContaining('not_found')]);

  await page.goto(`${stage.stack.urls.console}/nothing-here`);
  await heading(page, 'Not found');
  await go(page, 'Connectors');
  await heading(page, 'Connectors');
});
