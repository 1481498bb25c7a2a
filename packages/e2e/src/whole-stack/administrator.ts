import { expect, it } from '@jest/globals';
import type { StackUnderTest } from '../stack-under-test.ts';
import { runDocumentedBlocks } from './documented-commands.ts';

const PAGE = 'docs/management-api/administrator.md';
/** The block that reads the calls: the hub reports them a moment later */
const READS_CALLS = 7;
/** The block that calls for someone whom the organization has deactivated: the hub hears of it a moment later */
const CALLS_AFTER_REVOCATION = 10;
const IS_REVOKED = `[[ $(call whoami '{}') == *membership_revoked* ]]`;
const CALLS_ARE_THERE = '[[ $(api "audit-events?action=tool.*") == *tool.denied*tool.called* ]]';

const asJson = (lines: string | undefined): unknown => JSON.parse(lines ?? '');

/** Needs the organization that the documented commands create. */
export function describeAdministrator(stack: () => StackUnderTest): void {
  it('runs an organization by the commands of the documentation, from an invitation to the exported trail', async () => {
    const [me, link, accepted, role, site, binding, calls, trail, why, ended, refused, exported] =
      await runDocumentedBlocks(stack(), PAGE, 'administrator', {
        [READS_CALLS]: CALLS_ARE_THERE,
        [CALLS_AFTER_REVOCATION]: IS_REVOKED,
      });

    expect(asJson(me)).toMatchObject({ role: 'owner', organization: { name: 'Newco' } });
    expect(link).toMatch(/\/onboarding\/invitation\?token=lgi_\w{38}\n$/);
    expect(accepted).toContain('You are a member of Newco now.');
    expect(asJson(role)).toMatchObject({ user_id: 'user_erin', role: 'developer', source: 'invitation' });
    expect(asJson(site)).toMatchObject({ name: 'Portal' });
    expect(asJson(binding)).toMatchObject({ tools: ['whoami', 'list_notes'] });
    expect(calls).toContain('"subject":"user_erin"');
    expect(calls).toContain('"code":"tool_not_found"');

    const said = (action: string, rule: string, tool: string) =>
      expect.objectContaining({
        action,
        actor: expect.objectContaining({ id: 'user_erin', name: 'Erin' }),
        targets: expect.arrayContaining([expect.objectContaining({ type: 'tool', id: tool })]),
        context: expect.objectContaining({ client_id: 'frontend-app' }),
        details: expect.objectContaining({ rule }),
      });
    expect(asJson(trail)).toMatchObject({
      data: [
        said('tool.denied', 'tool_not_bound', 'create_note'),
        said('tool.called', 'token_issued', 'whoami'),
      ],
    });
    expect(asJson(why)).toMatchObject({
      user_id: 'user_erin',
      tool: 'create_note',
      rule: 'tool_not_bound',
      remedy: "An administrator of the organization can add the tool to the agent's binding.",
    });

    expect(asJson(ended)).toMatchObject({ user_id: 'user_erin', status: 'deactivated' });
    expect(asJson(refused)).toMatchObject({ status: 403, code: 'membership_revoked' });

    const events = (exported ?? '').trim().split('\n').map(asJson);
    expect(events.map((event) => (event as { action?: string }).action)).toEqual(
      expect.arrayContaining([
        'organization.created',
        'invitation.accepted',
        'api_key.created',
        'tool.denied',
      ]),
    );
    expect(events.at(-2)).toMatchObject({
      action: 'member.deactivated',
      details: { reason: 'left the company' },
    });
    expect(events.at(-1)).toEqual({ end: true, count: events.length - 1, resume: null });
  });
}
