import { describe, expect, it } from '@jest/globals';
import { scene } from '@legate/dev';
import type { Deployment } from './deployment.ts';

const tool = scene.toolAtMcp;

/** Agents at the hub's `/mcp`, with the official client. */
export function describeAgents(deployment: () => Deployment): void {
  describe.each(['modern', 'legacy'] as const)('an agent of the %s revision', (era) => {
    it('lists the tools of its user and calls one as that user', async () => {
      const agent = await deployment().agentOf('alice', era);
      const { tools } = await agent.listTools();
      expect(tools.map(({ name }) => name)).toEqual(
        expect.arrayContaining([tool('whoami'), tool('list_sites'), tool('create_note')]),
      );
      const who = await agent.callTool({ name: tool('whoami'), arguments: {} });
      expect(who.structuredContent).toMatchObject({ subject: 'user_alice', organization_id: 'org_acme' });
    });

    it('acts as its own user while others call', async () => {
      const users = ['alice', 'bob', 'carol'] as const;
      const agents = await Promise.all(users.map((user) => deployment().agentOf(user, era)));
      const seen = await Promise.all(
        agents.map((agent) => agent.callTool({ name: tool('whoami'), arguments: {} })),
      );
      expect(seen.map(({ structuredContent }) => structuredContent)).toMatchObject(
        users.map((user) => ({ subject: scene.USERS[user].id })),
      );
    });

    it('gets an error for a tool that does not exist', async () => {
      const agent = await deployment().agentOf('alice', era);
      await expect(agent.callTool({ name: tool('no_such_tool'), arguments: {} })).rejects.toThrow();
    });

    it('of a user without an organization is refused', async () => {
      await deployment().idToken('erin');
      await expect(deployment().agentOf('erin', era)).rejects.toThrow();
    });
  });
}
