import { describe, expect, it } from '@jest/globals';
import type { StackUnderTest } from '../stack-under-test.ts';
import { runDocumented, runDocumentedBlocks } from './documented-commands.ts';

/** Must run before Bob has called a tool: the hub keeps Bob's token for an hour. */
export function describeFirstToolCall(stack: () => StackUnderTest): void {
  describe('a newcomer', () => {
    it('calls a tool, is denied, and finds out why by the commands of the tutorial', async () => {
      const blocks = await runDocumentedBlocks(stack(), 'docs/tutorials/first-tool-call.md', 'first-call');
      expect(blocks.map((block) => block.trim())).toEqual([
        '',
        'user_alice',
        'Hello',
        'delegation_denied',
        "The identity provider's policy does not let this user use this tool server in this way.",
        '[]',
      ]);
    });

    it('calls a tool as Alice by the commands of the README', async () => {
      expect(await runDocumented(stack(), 'README.md', 'call-a-tool')).toMatchObject({
        structuredContent: { subject: 'user_alice', organization_id: 'org_acme' },
      });
    });
  });
}
