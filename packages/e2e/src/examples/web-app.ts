import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { scene } from '@legate/dev';
import { findFreePort } from '@legate/service/testing';
import { needs } from '@legate/testing';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../chromium.ts';
import type { StackUnderTest } from '../stack-under-test.ts';
import { type ExampleProcess, startExample, untilAnswers } from './example-process.ts';

const { describe, path } = needs('Chromium');
const { alice } = scene.USERS;

export function describeWebApp(stack: () => StackUnderTest): void {
  describe('web-app-ai-sdk', () => {
    let running: ExampleProcess;
    let browser: Browser;
    let page: Page;
    let url: string;
    beforeAll(async () => {
      const port = String(await findFreePort());
      url = `http://localhost:${port}`;
      const { 'tool-hub': HUB, 'mock-idp': ISSUER } = stack().urls;
      running = startExample('web-app-ai-sdk', { PORT: port, HUB, ISSUER, LEGATE_EXAMPLE_MODEL: 'mock' });
      await untilAnswers(running, url);
      browser = await launchChromium(path.Chromium);
      page = await browser.newPage();
    });
    afterAll(async () => {
      await browser?.close();
      await running?.stop();
    });

    const say = async (text: string) => {
      await page.getByLabel('Message').fill(text);
      await page.getByRole('button', { name: 'Send' }).click();
    };

    it('signs Alice in, and calls a tool for them once they have allowed it', async () => {
      await page.goto(url);
      await page.getByRole('link', { name: 'Sign in' }).click();
      await page.locator('[name=email]').fill(alice.email);
      await page.locator('[name=password]').fill(scene.PASSWORD);
      await page.locator('[name=password]').press('Enter');
      await page.getByText(alice.email).waitFor();
      await say('Write down: buy milk');
      const card = page.locator('.approval');
      await card.waitFor();
      expect(await card.innerText()).toContain(`acts as ${alice.email}`);
      await card.getByRole('button', { name: 'Allow' }).click();
      await page.locator('.assistant', { hasText: 'buy milk' }).waitFor();
    });

    it('does not call a tool that Alice refuses, and calls a read-only tool without asking', async () => {
      await say('Write down: sell the house');
      await page.locator('.approval').getByRole('button', { name: 'Refuse' }).click();
      await page.locator('.assistant', { hasText: 'I did not do it' }).waitFor();
      await say('Show my notes');
      const answer = page.locator('.assistant').nth(2);
      await answer.waitFor();
      expect(await answer.innerText()).toContain('buy milk');
      expect(await answer.innerText()).not.toContain('sell the house');
    });

    it('signs Alice out, here and at the identity provider', async () => {
      await page.getByRole('button', { name: 'Sign out' }).click();
      const link = page.getByRole('link', { name: 'Sign in' });
      await page.getByText('Sign out?').waitFor(); // the identity provider asks for confirmation
      await page.getByRole('button', { name: 'Sign out' }).click();
      await link.waitFor();
      expect((await page.request.get(`${url}/api/chat`)).status()).toBe(401);
      await link.click();
      await page.locator('[name=password]').waitFor();
    });
  });
}
