import type { Explanation } from './outcome.ts';
import { type Json, stringOf } from './wire.ts';

export const readExplanation = (body: Json): Explanation => ({
  kind: 'explanation',
  callId: stringOf(body.call_id) ?? '',
  action: stringOf(body.action),
  occurredAt: new Date(stringOf(body.occurred_at) ?? Number.NaN),
  userId: stringOf(body.user_id),
  clientId: stringOf(body.client_id),
  agentId: stringOf(body.agent_id),
  agentName: stringOf(body.agent_name),
  isAgentAuthenticated: body.agent_authenticated === true,
  connectorId: stringOf(body.connector_id),
  connectorName: stringOf(body.connector_name),
  tool: stringOf(body.tool),
  outcome: stringOf(body.outcome) ?? '',
  leg: stringOf(body.leg) ?? '',
  rule: stringOf(body.rule) ?? '',
  summary: stringOf(body.summary) ?? '',
  remedy: stringOf(body.remedy) ?? '',
  reason: stringOf(body.reason),
  doctor: stringOf(body.doctor),
});
