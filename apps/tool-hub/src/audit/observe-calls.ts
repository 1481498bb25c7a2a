import { Counter, Histogram, type Registry } from '@legate/service';
import { type Decided, rowOf } from '../domain/decision.ts';
import { type CallSummary, howEnded } from './call-record.ts';

/**
 * Outcomes of a tool call, by who can fix them: `failed` by the operators of the hub and the identity provider,
 * `tool_server_failed` by the owners of one tool server, `refused` by the caller or an administrator.
 */
export const CALL_RESULTS = ['answered', 'refused', 'failed', 'tool_server_failed', 'abandoned'] as const;
export type CallResult = (typeof CALL_RESULTS)[number];

/**
 * Counts tool calls for the service level objectives in docs/operations/slo.md; delegations outside a call are not
 * counted.
 */
export function observeCalls(registry: Registry): (call: CallSummary) => void {
  const calls = new Counter({
    name: 'tool_calls_total',
    help: 'Tool calls by result; failed means by a fault of the hub, its stores or the identity provider',
    labelNames: ['result'],
    registers: [registry],
  });
  for (const result of CALL_RESULTS) calls.inc({ result }, 0);
  // Looked up once, because looking up a label costs more than counting.
  const answered = calls.labels({ result: 'answered' });
  const overhead = new Histogram({
    name: 'tool_call_overhead_seconds',
    help: 'Duration of completed tool calls without the time that the tool server took, in seconds',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  });
  return (call) => {
    if (call.kind !== 'tool') return;
    const result = resultOf(howEnded(call));
    if (result !== 'answered') {
      calls.inc({ result });
      return;
    }
    answered.inc();
    const ms = call.endedAt - call.startedAt - (call.durations.tool_server ?? 0);
    overhead.observe(Math.max(0, ms) / 1000);
  };
}

export function resultOf(decided: Decided): CallResult {
  const { leg, rule } = decided;
  switch (rowOf(decided).outcome) {
    case 'granted':
    case 'tool_error':
      return 'answered';
    case 'denied':
    case 'unsupported':
    case 'expired':
      return 'refused';
    case 'unavailable':
    case 'misconfigured':
      if (leg === 'caller') return 'abandoned';
      // An administrator of the organization registered the connector in this form.
      if (rule === 'connector_unusable' || rule === 'token_audience_mismatch') return 'refused';
      // Usually the caller's own share is used up. The metric memory_budget_refusals_total shows when the memory of the
      // process was.
      if (rule === 'memory_exhausted') return 'refused';
      return leg === 'tool_server' || leg === 'authorization_server' ? 'tool_server_failed' : 'failed';
  }
}
