import type { DelegationFacts } from '@legate/delegation';
import { type Logger, type Problem, runInRequest } from '@legate/service';
import type { CallObserver, CallStep } from '../domain/call-step.ts';
import type { Caller } from '../domain/caller.ts';
import { problem } from '../domain/problem-codes.ts';
import { delegationProblem } from '../refusals/delegation-problems.ts';
import { auditEventOf } from './call-event.ts';
import {
  type CallKind,
  CallRecord,
  type CallSummary,
  createCallIds,
  type RunningCall,
} from './call-record.ts';
import { createEventLanes } from './event-lanes.ts';
import type { Explanations } from './explanations.ts';
import type { Outbox, WaitingEvent } from './outbox.ts';
import type { AnyEvent } from './refusal-digest.ts';

export type { CallKind, RunningCall } from './call-record.ts';

/** Records each call and each delegation once, from the request until the response. */
export type CallTrail = ReturnType<typeof createCallTrail>;

/**
 * @param deps.logEvents writes each event to the log, for a hub without management-api
 * @param deps.isRequired refuses a call if there is no room for its event
 */
export function createCallTrail(deps: {
  outbox: Pick<Outbox, 'add' | 'reserve'>;
  explanations: Pick<Explanations, 'keep'>;
  clock: () => Date;
  log: Logger;
  logEvents: boolean;
  isRequired?: boolean;
  /** Called with the number of new events. */
  onRecorded: (count: number) => void;
  /** Called for each ended call, for metrics. */
  onEnded: (call: CallSummary) => void;
  /** Called with the number of refusals that are only counted in another event. */
  onCounted?: (count: number) => void;
}) {
  const { outbox, explanations, clock, log, isRequired = false } = deps;
  const newCallId = createCallIds();
  const lanes = createEventLanes({ clock, onCounted: deps.onCounted });
  const recorded = new WeakSet<DelegationFacts>();
  let ended: CallSummary[] = [];

  function send(events: readonly WaitingEvent[]): void {
    if (events.length === 0) return;
    deps.onRecorded(events.length);
    outbox.add(events);
  }

  function flush(): void {
    const calls = ended;
    if (calls.length === 0) return;
    ended = [];
    const events: WaitingEvent[] = [];
    for (const call of calls) {
      deps.onEnded(call);
      const event = auditEventOf(call);
      const json = JSON.stringify(event);
      const { waiting, isCounted } = lanes.sort(event, json, call);
      events.push(...waiting);
      explanations.keep(event, json, isCounted);
      if (deps.logEvents) log.info({ audit: event, ...idsOf(call) }, 'audit event');
    }
    send(events);
  }

  function onEnd(call: CallSummary): void {
    // Sent with other calls that end now, after their responses; without a request context, because the calls are from
    // several requests.
    if (ended.push(call) === 1) runInRequest(undefined, () => setImmediate(flush));
  }

  function begin(kind: CallKind, caller: Caller, startedAt?: number): RunningCall {
    const occurredAtMs = clock().getTime();
    const needsRoom = isRequired && kind === 'tool';
    const reservation = needsRoom ? outbox.reserve(caller.organizationId) : undefined;
    if (needsRoom && !reservation) throw auditUnavailable();
    const id = newCallId(occurredAtMs);
    return new CallRecord({ kind, id, occurredAtMs, caller, reservation, startedAt }, recorded, onEnd);
  }

  /** Records one event for each delegation, however many requests wait for it. */
  function reportOutsideCalls(step: CallStep): void {
    if (step.step !== 'credential_obtained') return;
    const { caller, connector, obtained, ms } = step;
    const isNew = obtained.facts === undefined || !recorded.has(obtained.facts);
    if (!isNew || (obtained.outcome === 'granted' && obtained.fromCache)) return;
    const own = begin('delegation', caller, performance.now() - ms);
    own.report(step);
    if (obtained.outcome !== 'granted')
      own.report({ step: 'failed', error: delegationProblem(obtained, connector) });
    own.end();
  }

  return {
    /** @throws {Problem} 503 `audit_unavailable`, for a call whose event could not be stored, if events are required */
    begin: (kind: CallKind, caller: Caller): RunningCall => begin(kind, caller),
    /** Observes events outside a call, such as the delegation for a list. */
    outsideCalls: { report: reportOutsideCalls } satisfies CallObserver,
    /** Records an event that is not a call, as JSON-compatible data. */
    note(event: AnyEvent): void {
      if (deps.logEvents) log.info({ audit: event }, 'audit event');
      const json = JSON.stringify(event);
      send(lanes.sort(event, json).waiting);
    },
    /** Passes on the calls that have ended. */
    flush,
    /** Passes on the combined refusals of past minutes; with `all`, also those of the current minute. */
    sumUp: (all?: 'all'): void => send(lanes.due(all)),
  };
}

/** Returns the ids of the request that made the call, as in its other log lines */
const idsOf = ({ caller: { origin } }: CallSummary) =>
  origin && { request_id: origin.requestId, trace_id: origin.callerTraceId ?? origin.traceId };

const auditUnavailable = (): Problem =>
  problem('audit_unavailable', {
    detail: 'The audit event of this call could not be stored, and this hub carries out no call without one.',
    headers: { 'Retry-After': '5' },
    isExpected: true,
  });
