import { expect, it } from '@jest/globals';
import type { StackUnderTest } from '../stack-under-test.ts';
import { runDocumented } from './documented-commands.ts';

export function describeOnboarding(stack: () => StackUnderTest): void {
  it('creates an organization by the documented commands, from the sign-in to the consent', async () => {
    expect(await runDocumented(stack(), 'docs/management-api/onboarding.md', 'create-org')).toEqual({
      organization_id: expect.stringMatching(/^org_/),
      redirect_to: expect.stringContaining('http://localhost:5173/welcome'),
      token_refresh_required: true,
    });
  });
}
