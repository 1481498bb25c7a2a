import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { TestClock } from '@legate/service/testing';
import request from 'supertest';
import { type ConnectScene, createConnectScene, HUB, type TestBrowser } from '../../testing/connect-scene.ts';

// Tests of the URL that agents show to users who must connect an account

/** The real time, which openid-client uses. The hub checks the ID tokens with the same clock. */
const clock: TestClock = Object.assign(() => new Date(), { advanceSeconds: () => undefined });
const createScene = (options: Parameters<typeof createConnectScene>[0] = {}) =>
  createConnectScene({ clock, ...options });

let scene: ConnectScene;
let alice: string;
beforeEach(async () => {
  scene = await createScene();
  alice = await scene.idTokenOf('user_alice');
});
afterEach(() => scene.stop());

const PAGE = `${HUB}/connect/con_notes`;
const newBrowser = (signedInAs = 'user_alice'): TestBrowser => ({ cookie: '', signedInAs });
const titleOf = (html: string) => /<h1>(.*)<\/h1>/.exec(html)?.[1];
const hrefOf = (html: string) => /<a class="button" href="([^"]+)"/.exec(html)?.[1] ?? '';

/** Opens the address, and signs in at the identity provider that it redirects to. */
async function open(browser: TestBrowser, page = PAGE) {
  const begun = await scene.visit(browser, page);
  const back = await scene.visit(browser, scene.signIn(browser, begun.headers.location ?? ''));
  const location: string | undefined = back.headers.location;
  return { begun, back, page: location === undefined ? back : await scene.visit(browser, location) };
}

/** Follows the link on the page, and consents at the tool server. */
async function goOn(browser: TestBrowser, html: string) {
  const accepted = await scene.visit(browser, hrefOf(html));
  const there = await scene.openLink(browser, accepted.headers.location ?? '');
  return scene.visit(browser, scene.external.authorize(there));
}

it('connects the account of the user who signs in there, once they continue', async () => {
  const browser = newBrowser();
  const { page } = await open(browser);
  expect([page.status, titleOf(page.text)]).toEqual([200, 'Connect Notes?']);
  for (const shown of [scene.external.resource, 'user_alice', 'org_acme']) expect(page.text).toContain(shown);
  expect((await scene.call(alice)).status).toBe(403);
  expect(titleOf((await goOn(browser, page.text)).text)).toBe('You are connected');
  expect((await scene.call(alice)).status).toBe(200);
  expect((await scene.call(await scene.idTokenOf('user_bob'))).status).toBe(403);
});

it('also asks for the scopes in its URL, and shows them', async () => {
  const browser = newBrowser();
  const { page } = await open(browser, `${PAGE}?scope=notes%3Awrite`);
  expect(page.text).toContain('notes:write');
  await goOn(browser, page.text);
  expect(scene.external.authorizations[0]?.get('scope')).toBe('notes:read notes:write');
});

it('shows the user’s e-mail address, and escapes markup in texts', async () => {
  await scene.stop();
  scene = await createScene({ connectorOf: (plain) => ({ ...plain, name: '<b onload=x>Notes</b>' }) });
  const { page } = await open(newBrowser());
  expect(page.text).toContain('&lt;b onload=x&gt;');
  expect(page.text).not.toContain('<b onload');
  expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'");
  expect(page.headers['referrer-policy']).toBe('no-referrer');
});

describe('the connect page refuses', () => {
  const refusedTo = async (browser: TestBrowser, page: string) => {
    const { page: shown } = await open(browser, page);
    return [shown.status, titleOf(shown.text)];
  };
  const NOTHING = [403, 'There is nothing to connect here'];

  it('a connector that the organization does not have, or that needs no account', async () => {
    expect(await refusedTo(newBrowser(), `${HUB}/connect/con_none`)).toEqual(NOTHING);
    await scene.stop();
    scene = await createScene({
      connectorOf: (plain) => ({
        ...plain,
        methods: [{ method: 'id-jag', clientId: 'hub', clientAuth: undefined, issuer: undefined }] as never,
      }),
    });
    const browser = newBrowser();
    const { page } = await open(browser);
    const accepted = await scene.visit(browser, hrefOf(page.text));
    expect([accepted.status, titleOf(accepted.text)]).toEqual(NOTHING);
  });

  it.each(['%00', 'x'.repeat(300), 'a%2Fb'])('the id %s', async (id) => {
    const [status] = await refusedTo(newBrowser(), `${HUB}/connect/${id}`);
    expect(status).toBe(403);
  });

  it('an invalid scope, before anybody signs in', async () => {
    const answer = await scene.visit(newBrowser(), `${PAGE}?scope=${encodeURIComponent('a"b')}`);
    expect([answer.status, titleOf(answer.text)]).toEqual(NOTHING);
  });

  it('another browser, at each step', async () => {
    const browser = newBrowser();
    const begun = await scene.visit(browser, PAGE);
    const back = scene.signIn(browser, begun.headers.location ?? '');
    expect((await scene.visit(newBrowser('user_bob'), back)).status).toBe(400);
    const { page, back: signedIn } = await open(browser);
    for (const address of [signedIn.headers.location ?? '', hrefOf(page.text)])
      expect((await scene.visit(newBrowser('user_bob'), address)).status).toBe(400);
    expect((await scene.visit(browser, hrefOf(page.text))).status).toBe(303);
  });

  it('to continue a second time', async () => {
    const browser = newBrowser();
    const { page } = await open(browser);
    await scene.visit(browser, hrefOf(page.text));
    expect((await scene.visit(browser, hrefOf(page.text))).status).toBe(400);
  });

  it('the address of another connector for the same question', async () => {
    const browser = newBrowser();
    const { page } = await open(browser);
    const other = hrefOf(page.text).replace('con_notes', 'con_other');
    expect((await scene.visit(browser, other)).status).toBe(400);
  });

  it('a user who switches accounts between the page and the tool server', async () => {
    const browser = newBrowser();
    const { page } = await open(browser);
    const accepted = await scene.visit(browser, hrefOf(page.text));
    const bob = { ...browser, signedInAs: 'user_bob' };
    const opened = await scene.visit(bob, accepted.headers.location ?? '');
    const signedIn = await scene.visit(bob, scene.signIn(bob, opened.headers.location ?? ''));
    expect([signedIn.status, titleOf(signedIn.text)]).toEqual([403, 'This link is for somebody else']);
  });

  it('a browser that exceeds its share of visits, and no other browser behind the same IP address', async () => {
    const answers: number[] = [];
    const browser = newBrowser();
    for (let visit = 0; visit < 180; visit += 1) answers.push((await scene.visit(browser, PAGE)).status);
    expect([answers.lastIndexOf(302), answers.at(-1)]).toEqual([171, 429]);
    expect((await scene.visit(newBrowser(), PAGE)).status).toBe(302);
  });

  it('a request by another page', async () => {
    const answer = await request(scene.app).get(new URL(PAGE).pathname).set('Sec-Fetch-Dest', 'image');
    expect([answer.status, titleOf(answer.text)]).toEqual([403, 'This page cannot be part of another page']);
  });
});

describe('an agent whose user must connect', () => {
  const call = (meta: object | undefined, params: object = {}, headers: Record<string, string> = {}) =>
    request(scene.app)
      .post('/mcp/con_notes')
      .set({ Host: new URL(HUB).host, Authorization: `Bearer ${alice}` })
      .set({ Accept: 'application/json, text/event-stream' })
      .set(
        meta
          ? { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/call', 'Mcp-Name': 'whoami' }
          : { 'MCP-Protocol-Version': '2025-11-25' },
      )
      .set(headers)
      .send({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'whoami', arguments: {}, ...params, ...(meta && { _meta: meta }) },
      });
  const modern = (elicitation?: object) => ({
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': elicitation ? { elicitation } : {},
  });
  const question = { mode: 'url', url: PAGE, message: expect.stringContaining('Connect your account') };

  it('gets the link in the denial', async () => {
    const { body } = await call(modern());
    expect(body.result).toMatchObject({
      isError: true,
      _meta: {
        'legate/authorization': { remediation: 'available', remediationHints: [{ type: 'url', url: PAGE }] },
      },
    });
  });

  it('is asked to show them the link, and the call continues when they have connected', async () => {
    const asked = await call(modern({ url: {} }));
    expect(asked.body.result).toMatchObject({
      resultType: 'input_required',
      inputRequests: { 'legate/connect': { method: 'elicitation/create', params: question } },
    });
    const browser = newBrowser();
    await goOn(browser, (await open(browser)).page.text);
    const answered = await call(modern({ url: {} }), {
      inputResponses: { 'legate/connect': { action: 'accept' } },
    });
    expect(answered.body.result.content[0].text).toBe('account_there');
  });

  it('is asked once per call, which is denied after that', async () => {
    for (const action of ['accept', 'decline', 'cancel']) {
      const { body } = await call(modern({ url: {} }), { inputResponses: { 'legate/connect': { action } } });
      expect(body.result).toMatchObject({ resultType: 'complete', isError: true });
    }
  });

  it('of revision 2025-11-25 gets the error that asks the user, if it has declared URL elicitation', async () => {
    const initialized = await request(scene.app)
      .post('/mcp/con_notes')
      .set({ Host: new URL(HUB).host, Authorization: `Bearer ${alice}` })
      .set({ Accept: 'application/json, text/event-stream' })
      .send({
        jsonrpc: '2.0',
        id: 0,
        method: 'initialize',
        params: {
          protocolVersion: '2025-11-25',
          clientInfo: { name: 'test', version: '1' },
          capabilities: { elicitation: { url: {} } },
        },
      });
    const session = { 'Mcp-Session-Id': initialized.headers['mcp-session-id'] ?? '' };
    const { body } = await call(undefined, {}, session);
    expect(body.error).toMatchObject({
      code: -32042,
      data: {
        code: 'connection_required',
        elicitations: [{ ...question, elicitationId: expect.stringMatching(/^evt_/) }],
        authorization: { remediationHints: [{ type: 'url', url: PAGE }] },
      },
    });
    expect((await call(undefined)).body.result).toMatchObject({ isError: true });
  });
});
