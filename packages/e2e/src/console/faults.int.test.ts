import { expect } from '@jest/globals';
import { scene } from '@legate/dev';
import { eventually, needs } from '@legate/testing';
import type { Page } from 'playwright-core';
import { setStage } from './stage.ts';

/** Tests the message of a page if a service behind it fails; the rest of the page works. */

const { describe, it, path } = needs('night', 'Chromium');
const { alice } = scene.USERS;

const stage = setStage(path.Chromium);

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
    await page.getByText('loading').waitFor({ state: 'detached' });
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
});
