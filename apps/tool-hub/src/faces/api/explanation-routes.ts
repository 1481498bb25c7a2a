import { EVENT_ID } from '@legate/management-contract';
import { z } from 'zod';
import type { Explain } from '../../audit/explain.ts';
import { outage, problem } from '../../domain/problem-codes.ts';
import { ok } from './answers.ts';
import { type HubOperation, operation } from './operation.ts';

const Explanation = z
  .strictObject({
    call_id: z.string(),
    action: z
      .string()
      .describe(
        'Action of the audit event, such as `tool.denied` or `resource.read`; `delegation.…` for a list',
      ),
    occurred_at: z.iso.datetime(),
    organization_id: z.string(),
    user_id: z.string(),
    client_id: z.string().nullable().describe('The application that the user signed in to'),
    agent_id: z.string().nullable(),
    agent_name: z.string().nullable().describe('The current name of the agent, if it is known'),
    agent_authenticated: z
      .boolean()
      .nullable()
      .describe(
        'True: the session or the MCP client is bound to the agent. Otherwise the application named it',
      ),
    connector_id: z.string().nullable(),
    connector_name: z.string().nullable().describe('The name at the time of the call'),
    tool: z.string().nullable(),
    outcome: z.string(),
    leg: z.string().describe('The part that decided. Stable.'),
    rule: z.string().describe('The rule that decided. Stable.'),
    summary: z.string().describe('What happened, in a sentence'),
    remedy: z.string().describe('What can be done, and by whom'),
    doctor: z.string().nullable().describe('Path at which an administrator can examine the connector'),
    reason: z.string().nullable(),
    method: z.string().nullable(),
    cache: z.string().nullable(),
    audience_scoped: z
      .string()
      .nullable()
      .describe(
        'Whether a new token of `token-exchange` is for this tool server alone: `yes`, `no`, or `unknown` if the hub cannot read it',
      ),
    request_id: z.string().nullable(),
    trace_id: z.string().nullable(),
    caller_request_id: z.string().nullable(),
    caller_trace_id: z.string().nullable(),
    durations: z.record(z.string(), z.number()),
  })
  .meta({ id: 'Explanation' });

/** `GET /calls/{call_id}/explanation`: which leg decided, the rule that applied, and possible remedies. */
export const explanationOperations = (explain: Explain): HubOperation[] => [
  operation('explainCall', 'get', '/calls/{call_id}/explanation', {
    summary: 'Explain how a call ended',
    description: 'For the user who made the call, and for administrators of the organization.',
    access: 'agents',
    responses: { 200: { description: 'The explanation', schema: Explanation } },
    problems: ['call_not_found', 'explanations_unavailable'],
    handle: async ({ caller, params: { callId } }) => {
      const explanation = EVENT_ID.test(callId)
        ? await explain(caller, callId).catch((cause: unknown) => {
            throw outage('explanations_unavailable', 'Explanations cannot be read at the moment.', cause);
          })
        : undefined;
      if (!explanation) {
        throw problem('call_not_found', {
          detail:
            'You have made no call with this id, or its explanation is no longer kept. The audit trail may have the call.',
        });
      }
      return ok(explanation);
    },
  }),
];
