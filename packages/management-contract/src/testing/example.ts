import { auditEvent, auditEventsUrl, Intake, toEventText } from '@legate/management-contract';

/** The hub reports a call. Callers choose the names of tools, so a name may be anything. */
export const calledTool = (name: string, reportTo: string) => ({
  url: auditEventsUrl(reportTo),
  event: {
    id: 'evt_01K5PJT280GGGGGGGGGGGGGGGG', // a ULID of the time below
    organization_id: 'org_acme',
    action: 'tool.called',
    occurred_at: '2025-09-21T16:48:12.032Z',
    actor: { type: 'user', id: 'user_alice' },
    targets: [{ type: 'tool', id: toEventText(name, 255) }],
  },
});

/** The management API checks what it is sent, and answers what became of it. */
export function takeEvent(event: unknown, now: Date): Intake {
  const { success } = auditEvent(now).safeParse(event);
  const errors = [{ code: 'invalid', detail: 'No event.' }];
  return Intake.parse({
    accepted: success ? 1 : 0,
    known: 0,
    refused: success ? [] : [{ index: 0, errors }],
  });
}
