import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { exchange, member, type ServicePorts, type Stack, scene, signIn, startStack } from '@legate/dev';
import { needs } from '@legate/testing';
import { decodeJwt } from 'jose';
import type { Browser } from 'playwright-core';
import { launchChromium } from './chromium.ts';
import { freeServicePorts } from './stack-under-test.ts';

/** Time-out of a wait in the browser */
const TIMEOUT_MS = 50_000;
const { it, path } = needs('time', 'Chromium');
let chromium: Browser;
let dataDir: string;
let ports: ServicePorts;
beforeAll(async () => {
  chromium = await launchChromium(path.Chromium);
  dataDir = await mkdtemp(join(tmpdir(), 'legate-second-start-'));
  ports = await freeServicePorts();
});
afterAll(async () => {
  await chromium?.close();
  await rm(dataDir, { recursive: true, force: true });
});

/**
 * Starts the same stack as `npm start` without stores: an embedded database in the data directory, all else in memory.
 */
async function withStack<Result>(work: (urls: Stack['urls']) => Promise<Result>): Promise<Result> {
  const stack = await startStack({
    ports,
    dataDir,
    services: ['mock-idp', 'management-api'],
    databaseUrl: undefined,
    redisUrl: undefined,
    encryptionKeys: undefined,
    logLevel: 'info',
  });
  try {
    return await work(stack.urls);
  } finally {
    await stack.stop();
  }
}

/** Goes through the onboarding pages in a new browser. @returns the titles of the pages after the sign-in */
async function onboard(urls: Stack['urls']): Promise<string[]> {
  const context = await chromium.newContext();
  context.setDefaultTimeout(TIMEOUT_MS);
  const titles: string[] = [];
  try {
    const page = await context.newPage();
    await page.goto(`${urls['management-api']}/onboarding`);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('E-mail address').fill(scene.USERS.dave.email);
    await page.getByLabel('Password').fill(scene.PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    const title = async () => {
      const shown = await page.getByRole('heading', { level: 1 }).innerText();
      titles.push(shown);
      return shown;
    };
    await page.waitForURL(`${urls['management-api']}/onboarding`);
    if ((await title()) === 'Create your organization') {
      await page.getByLabel('Name of the organization').fill('Newco');
      await page.getByRole('button', { name: 'Create organization' }).click();
      await page.getByText('must sign you in again').waitFor();
      await title();
    }
    return titles;
  } finally {
    await context.close();
  }
}

/** Signs in again. @returns the organization in the token, and whether the API accepts the token */
async function work(urls: Stack['urls']) {
  const { idToken, accessToken } = await signIn({
    issuer: urls['mock-idp'],
    email: scene.USERS.dave.email,
    resource: urls['management-api'],
  });
  const bearer = { Authorization: `Bearer ${accessToken}` };
  const me = await exchange('GET', `${urls['management-api']}/api/v1/me`, {}, bearer);
  const sites = await exchange('GET', `${urls['management-api']}/api/v1/sites`, {}, bearer);
  return {
    organizationId: decodeJwt(idToken).organization_id,
    organization: member(me.answer, 'organization'),
    role: member(me.answer, 'role'),
    sites: sites.status,
  };
}

it('a user who created an organization enters it after a restart in which the identity provider lost everything', async () => {
  const first = await withStack(async (urls) => {
    const shown = await onboard(urls);
    expect(shown).toEqual(['Create your organization', 'Newco is ready']);
    return work(urls);
  });
  expect(first).toMatchObject({ organization: { name: 'Newco' }, role: 'owner', sites: 200 });

  const second = await withStack(async (urls) => {
    const shown = await onboard(urls);
    expect(shown).toEqual(['Newco is ready']);
    return work(urls);
  });
  expect(second).toEqual(first);
});
