import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { exchange, IMITATED, type ImitatedName, member, ROOT, scene, signIn, stackIssuer } from '@legate/dev';
import { needs } from '@legate/testing';
import { type StackUnderTest, startStackUnderTest } from './stack-under-test.ts';

/**
 * Tests the hub and `legate` as processes with each identity provider that mock-idp imitates: the messages if all legs
 * work, if the provider issues no ID-JAGs, and if its ID tokens do not name the organization.
 */

const { describe, it } = needs('time');

const LEGATE = `${ROOT}packages/cli/bin/legate.js`;
const TOOL = scene.toolAtMcp('whoami');

/**
 * Expected outcomes of a sign-in at the hub and of a call, with words in the output of `legate call` and `legate
 * doctor`
 */
const EXPECTED: Readonly<Partial<Record<ImitatedName, Expected>>> = {
  okta: { signIn: 200, call: 200, claim: null },
  strict: { signIn: 200, call: 200, claim: 'organization_id' },
  // It exchanges refresh tokens: a bare ID token is not enough.
  pingfederate: { signIn: 200, call: 401, claim: 'organization_id', says: ['sign'] },
  keycloak: { signIn: 200, call: 502, claim: 'organization_id', says: ['issues no ID-JAGs'] },
  auth0: { signIn: 200, call: 502, claim: 'org_id', says: ['issues no ID-JAGs'] },
  entra: {
    ...{ signIn: 200, call: 502, claim: 'tid', says: ['issues no ID-JAGs'] },
    tenant: '8eaef023-2b34-4da1-9baa-8bc8c9d6a490',
  },
  google: { signIn: 200, call: 502, claim: 'hd', says: ['issues no ID-JAGs'] },
  workos: { signIn: 401, call: 401, claim: null, says: ['organization'] },
};
interface Expected {
  readonly signIn: number;
  readonly call: number;
  readonly claim: string | null;
  /** Value of the claim. Default: the organization */
  readonly tenant?: string;
  readonly says?: readonly string[];
}

describe.each(IMITATED)('%s', (name) => {
  const expected = EXPECTED[name];
  if (!expected) throw new Error(`nothing is expected of ${name}`);
  let stack: StackUnderTest;
  let issuer: string;
  let config: string;

  beforeAll(async () => {
    config = mkdtempSync(join(tmpdir(), 'legate-config-'));
    stack = await startStackUnderTest({
      idp: name,
      services: ['mock-idp', 'reference-mcp-server', 'tool-hub'],
      env: {
        'tool-hub': {
          CONNECTORS_FILE: `${ROOT}infra/development/connectors.json`,
          MANAGEMENT_API_URL: '',
        },
      },
    });
    issuer = stackIssuer(stack.urls, name);
  });
  afterAll(async () => {
    await stack?.stop();
    rmSync(config, { recursive: true, force: true });
  });

  function legate(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
    const env = {
      PATH: process.env.PATH,
      XDG_CONFIG_HOME: config,
      TOOL_HUB_PORT: `${stack.ports['tool-hub']}`,
      MOCK_IDP_PORT: `${stack.ports['mock-idp']}`,
    };
    return new Promise((resolve) => {
      execFile(process.execPath, [LEGATE, ...args], { env }, (err, stdout, stderr) =>
        resolve({ code: err ? Number(err.code) : 0, stdout, stderr }),
      );
    });
  }

  it('signs users in through the page, whom the hub accepts if it knows their organization', async () => {
    const { idToken } = await signIn({ issuer, email: scene.USERS.alice.email });
    const authorization = { Authorization: `Bearer ${idToken}` };
    const hub = `${stack.urls['tool-hub']}/api/v1/connectors`;
    const listed = await exchange('GET', hub, {}, authorization);
    expect(listed.status).toBe(expected.signIn);
    const called = await exchange(
      'POST',
      `${hub}/${scene.CONNECTOR}/tools/whoami/call`,
      { json: {} },
      authorization,
    );
    expect(called.status).toBe(expected.call);
    if (called.status === 200)
      expect(member(called.answer, 'structuredContent', 'subject')).toBe(scene.USERS.alice.id);
  });

  it('is found by legate, which prints the user and the organization', async () => {
    const { code, stdout } = await legate('whoami', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      issuer,
      name: 'Alice',
      organization_id: expected.claim === null ? null : (expected.tenant ?? 'org_acme'),
      organization_claim: expected.claim,
    });
  });

  it('lets legate verify its tokens by its issuer, and suggest that issuer if another one is used', async () => {
    const token = (await legate('token')).stdout.trim();
    const verified = await legate('decode', token, '--issuer', issuer, '--json');
    expect([verified.code, JSON.parse(verified.stdout)]).toEqual([
      0,
      expect.objectContaining({ kind: 'idToken', verified: true }),
    ]);
    const elsewhere = await legate('decode', token, '--issuer', `${stack.urls['tool-hub']}/nowhere`);
    expect(elsewhere.code).toBe(5);
    expect(elsewhere.stderr).toContain(`Next: legate decode - --issuer ${issuer}`);
  });

  it('lets legate call a tool, or print the next step', async () => {
    const { code, stdout, stderr } = await legate('call', TOOL);
    if (expected.call === 200)
      return expect([code, stdout]).toEqual([0, expect.stringContaining('user_alice')]);
    expect(stdout).toBe('');
    for (const words of expected.says ?? ['organization']) expect(stderr).toContain(words);
    const next = expected.call === 502 ? `legate doctor --connector ${scene.CONNECTOR}` : 'legate whoami';
    expect(stderr).toContain(`\nNext: ${next}`);
    expect(code).toBe(expected.call === 401 ? 3 : 1);
  });

  it('makes the doctor name the leg in which its connector fails', async () => {
    const { code, stdout, stderr } = await legate('doctor', '--connector', scene.CONNECTOR);
    if (expected.signIn === 401) {
      expect(stderr).toContain('\nNext: legate whoami');
      return expect(code).toBe(3);
    }
    // Without a session, the doctor cannot try what the provider exchanges, and finds no fault in that.
    const isTried = name !== 'pingfederate';
    expect(code).toBe(expected.call === 200 || !isTried ? 0 : 1);
    expect(stdout).toContain(
      expected.call === 200 ? 'No fault.' : isTried ? 'FAIL  token_exchange' : 'skip  token_exchange',
    );
  });

  it('lets legate explain a call to its user', async () => {
    const idToken = (await legate('token')).stdout.trim();
    const { answerHeaders } = await exchange(
      'POST',
      `${stack.urls['tool-hub']}/api/v1/connectors/${scene.CONNECTOR}/tools/whoami/call`,
      { json: {} },
      { Authorization: `Bearer ${idToken}` },
    );
    const callId = answerHeaders.get('legate-call-id');
    // A request that was refused before it became a call has no explanation.
    if (expected.signIn === 401) return expect(callId).toBeNull();
    const { code, stdout } = await legate('explain', `${callId}`, '--json');
    expect(code).toBe(0);
    const { outcome, leg } = JSON.parse(stdout);
    if (expected.call === 200) expect(outcome).toBe('granted');
    else expect([outcome === 'granted', leg]).toEqual([false, 'idp']);
  });

  if (name !== 'pingfederate') return;
  it('calls a tool in a session, whose refresh token the provider exchanges', async () => {
    const tokens = await signIn({
      issuer,
      email: scene.USERS.alice.email,
      client: scene.IDP_CLIENTS.hub,
      scope: 'openid offline_access',
    });
    const hub = `${stack.urls['tool-hub']}/api/v1`;
    const opened = await exchange(
      'POST',
      `${hub}/sessions`,
      { json: { refresh_token: tokens.refreshToken } },
      { Authorization: `Bearer ${tokens.idToken}` },
    );
    const called = await exchange(
      'POST',
      `${hub}/connectors/${scene.CONNECTOR}/tools/whoami/call`,
      { json: {} },
      { Authorization: `Bearer ${member(opened.answer, 'session')}` },
    );
    expect([called.status, member(called.answer, 'structuredContent', 'subject')]).toEqual([
      200,
      scene.USERS.alice.id,
    ]);
  });
});
