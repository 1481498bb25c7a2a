import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { exchange, ROOT, scene, text } from '@legate/dev';
import { needs } from '@legate/testing';
import express from 'express';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launchChromium } from '../chromium.ts';
import { type StackUnderTest, startStackUnderTest } from '../stack-under-test.ts';

/** Tests the web page of the MCP Inspector in a real browser: it only gets the hub's URL. */

const { it, path } = needs('time', 'Chromium');
const INSPECTOR = join(
  dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/inspector-client/package.json')),
  'dist',
);

let chromium: Browser;
let stack: StackUnderTest;
let inspector: Server;
let origin: string;
beforeAll(async () => {
  const pages = express().use(express.static(INSPECTOR));
  pages.use((_req, res) => res.sendFile(join(INSPECTOR, 'index.html')));
  inspector = createServer(pages);
  await new Promise<void>((resolve) => inspector.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(inspector.address() as AddressInfo).port}`;
  [chromium, stack] = await Promise.all([
    launchChromium(path.Chromium),
    startStackUnderTest({
      services: ['mock-idp', 'reference-mcp-server', 'tool-hub'],
      env: {
        'tool-hub': {
          CONNECTORS_FILE: `${ROOT}infra/development/connectors.json`,
          MANAGEMENT_API_URL: '',
          ALLOWED_ORIGINS: origin,
        },
      },
    }),
  ]);
});
afterAll(async () => {
  await chromium?.close();
  await stack?.stop();
  inspector?.close();
});

/** A tab that can reach only this computer, with the hub's URL filled in */
async function open(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.route('**', (route) => {
    const { hostname } = new URL(route.request().url());
    return hostname === 'localhost' || hostname === '127.0.0.1' ? route.continue() : route.abort();
  });
  await page.addInitScript(
    ([url]) => {
      localStorage.setItem('lastTransportType', 'streamable-http');
      localStorage.setItem('lastConnectionType', 'direct');
      localStorage.setItem('lastSseUrl', url ?? '');
    },
    [`${stack.urls['tool-hub']}/mcp`],
  );
  return page;
}

async function connect(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
}

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('E-mail address').fill(scene.USERS.alice.email);
  await page.getByLabel('Password').fill(scene.PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Allow' }).click();
}

/** Revokes the tokens that the page stores, as anyone could who finds them. */
async function revoke(page: Page): Promise<void> {
  const [kept] = await page.evaluate(() =>
    Object.values(sessionStorage).filter((value) => value.includes('lrt_')),
  );
  const token = text(JSON.parse(kept ?? '{}'), 'refresh_token');
  const [client] = await page.evaluate(() =>
    Object.values(sessionStorage).filter((value) => value.includes('lcd_')),
  );
  const form = { token, client_id: text(JSON.parse(client ?? '{}'), 'client_id') };
  expect((await exchange('POST', `${stack.urls['tool-hub']}/oauth/revoke`, { form })).status).toBe(200);
}

describe('the MCP Inspector', () => {
  it('signs Alice in and calls a tool for them, until the tokens are revoked', async () => {
    const page = await open(await chromium.newContext());
    await page.goto(origin);
    await connect(page);
    await signIn(page);
    await page.waitForURL(`${origin}/**`);
    await page.getByRole('tab', { name: 'Tools' }).click();
    await page.getByRole('button', { name: 'List Tools' }).click();
    await page.getByText('Who am I').click();
    await page.getByRole('button', { name: 'Run Tool' }).click();
    await page.getByText('Tool Result: Success').waitFor();
    expect(await page.getByText(scene.USERS.alice.id).first().isVisible()).toBe(true);

    await revoke(page);
    await page.getByRole('button', { name: 'Run Tool' }).click();
    await page.getByText('Tool Result: Error').waitFor();

    // In another tab, because this version of the Inspector does not delete refused tokens
    const again = await open(page.context());
    await again.goto(origin);
    await connect(again);
    await again.waitForURL(`${stack.urls['tool-hub']}/oauth/interaction/**`);
    await again.getByRole('button', { name: 'Allow' }).waitFor();
  });
});
