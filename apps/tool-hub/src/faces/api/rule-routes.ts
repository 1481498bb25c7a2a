import { hash } from 'node:crypto';
import { JsonText } from '@legate/operations';
import { z } from 'zod';
import { RULES } from '../../domain/decision.ts';
import { type HubOperation, operation } from './operation.ts';

const Rule = z
  .strictObject({
    leg: z.string().describe('The part that decides. Stable.'),
    rule: z.string().describe('Unique within its leg. Stable.'),
    outcome: z.string(),
    summary: z.string().describe('What happened, in a sentence'),
    remedy: z.string().describe('What can be done, and by whom'),
  })
  .meta({ id: 'Rule' });

/**
 * `GET /rules`: the meaning of each rule that can end a call. A reader of the audit trail can use it to explain a call
 * after its explanation has expired. It contains no personal data, so it needs no token.
 */
export function ruleOperations(): HubOperation[] {
  const rules = Object.entries(RULES).flatMap(([leg, rows]) =>
    Object.entries(rows).map(([rule, { outcome, summary, remedy }]) => ({
      leg,
      rule,
      outcome,
      summary,
      remedy,
    })),
  );
  const text = JSON.stringify({ rules });
  const answer = {
    status: 200,
    headers: { ETag: `"${hash('sha256', text, 'base64url')}"` },
    body: new JsonText(text),
  } as const;
  return [
    operation('listRules', 'get', '/rules', {
      summary: 'List every way in which a call can end, and what helps',
      access: 'public',
      responses: {
        200: {
          description: 'All of them',
          schema: z.strictObject({ rules: z.array(Rule) }),
          headers: ['ETag'],
        },
      },
      handle: () => answer,
    }),
  ];
}
