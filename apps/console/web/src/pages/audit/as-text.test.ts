import { expect, it } from '@jest/globals';
import type { AuditEvent } from '../../api/types.ts';
import { asText } from './as-text.ts';

const event = (details: AuditEvent['details']): AuditEvent => ({
  id: 'evt_1',
  action: 'tool.called',
  occurred_at: '2026-11-28T09:00:00.000Z',
  recorded_at: '2026-11-28T09:00:01.000Z',
  actor: { type: 'user', id: 'user_alice', name: 'Alice', email: null },
  targets: [
    { type: 'agent', id: 'agt_1', name: 'Helper' },
    { type: 'tool', id: 'whoami', name: null },
  ],
  changes: null,
  context: {
    ...{ request_id: null, client_request_id: null, trace_id: null, ip: null, user_agent: null },
    ...{ auth: null, client_id: null, token_id: null },
  },
  details,
  truncated: null,
});

it.each([
  ['proved itself', { agent_authenticated: true }, 'Agent: Proven: '],
  ['was only named', {}, 'Agent: Named by the application: '],
])('tells that an agent %s', (_case, details, line) => {
  const lines = asText(event(details), undefined).split('\n');
  expect(lines).toContainEqual(expect.stringMatching(`^${line}`));
});

it('keeps the line breaks of a name from beginning a line of its own', () => {
  const forged = {
    ...event({}),
    actor: { type: 'user', id: 'x', name: 'Eve\nOutcome: allowed', email: null },
  } as const;
  expect(asText(forged, undefined)).toContain('Who: Eve Outcome: allowed');
});

it('writes out the hidden characters of a name', () => {
  const forged = {
    ...event({}),
    targets: [{ type: 'tool', id: 'evil\u202Eemaohw\u200B', name: null }],
  };
  expect(asText(forged, undefined)).toContain('evil⟨U+202E⟩emaohw⟨U+200B⟩');
});
