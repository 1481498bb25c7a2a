import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createBrowser, exchange, member, scene, signIn } from '@legate/dev';
import type { StackUnderTest } from '../stack-under-test.ts';
import { type ExampleProcess, startExample } from './example-process.ts';

const { alice } = scene.USERS;
const ASKED = 'Allow it? (y/n)';

export function describeLangGraphAgent(stack: () => StackUnderTest): void {
  describe('agent-langgraph', () => {
    let folder: string;
    const running: ExampleProcess[] = [];
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'legate-agent-'));
    });
    afterAll(async () => {
      for (const agent of running) await agent.stop();
      await rm(folder, { recursive: true, force: true });
    });

    /** Starts the example, and signs Alice in with a browser. */
    async function start(env: Readonly<Record<string, string>> = {}): Promise<ExampleProcess> {
      const { 'tool-hub': HUB, 'mock-idp': ISSUER } = stack().urls;
      const agent = startExample('agent-langgraph', {
        HUB,
        ISSUER,
        CHECKPOINTS: `${folder}/checkpoints.json`,
        ...env,
      });
      running.push(agent);
      await agent.says('Sign in: ');
      await agent.says('\n');
      const url = /Sign in: (\S+)/.exec(agent.output())?.[1] ?? '';
      const redirectUri = new URL(url).searchParams.get('redirect_uri') ?? '';
      const callback = await createBrowser().signIn(url, redirectUri, alice.email, scene.PASSWORD);
      await fetch(callback);
      return agent;
    }

    it('calls a tool as Alice if they approve it, and does not if they refuse', async () => {
      const agent = await start();
      await agent.says('You:');
      agent.type('Write down: buy milk');
      await agent.says(ASKED);
      expect(agent.output()).toContain(`acts as ${alice.email}`);
      agent.type('y');
      await agent.says('You:', 2);
      expect(agent.output()).toMatch(/The tool says: .*note_.*buy milk/);
      agent.type('Write down: sell the house');
      await agent.says(ASKED, 2);
      agent.type('n');
      await agent.says('You:', 3);
      expect(agent.output()).toContain('The tool says: The user refused this call');
    });

    it('acts as the agent that AGENT names, with the approvals of its binding', async () => {
      const { 'management-api': resource, 'mock-idp': issuer } = stack().urls;
      const { accessToken } = await signIn({ issuer, email: alice.email, resource });
      const administer = async (method: string, path: string, body: object) => {
        const headers = { Authorization: `Bearer ${accessToken}` };
        return (await exchange(method, `${resource}/api/v1/${path}`, { json: body }, headers)).answer;
      };
      const id = String(member(await administer('POST', 'agents', { name: 'Own', status: 'active' }), 'id'));
      await administer('PUT', `agents/${id}/connectors/${scene.CONNECTOR}`, { approval: 'never' });
      const agent = await start({ AGENT: id, CHECKPOINTS: `${folder}/own.json` });
      await agent.says('You:');
      agent.type('Write down: nobody is asked');
      await agent.says('You:', 2);
      expect(agent.output()).toMatch(/You: The tool says: .*note_.*nobody is asked/);
    });

    it('resumes a call that was waiting when the example was stopped', async () => {
      const stopped = await start();
      await stopped.says('You:');
      stopped.type('Write down: water the plants');
      await stopped.says(ASKED);
      await stopped.stop();
      const agent = await start();
      await agent.says(ASKED);
      expect(agent.output()).toContain('A call of the last time still waits for you.');
      agent.type('y');
      await agent.says('You:');
      expect(agent.output()).toMatch(/note_.*water the plants/);
      agent.type('');
      expect(await agent.exited).toBe(0);
    });
  });
}
