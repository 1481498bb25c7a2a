import { randomFillSync } from 'node:crypto';
import { type DelegationFacts, isRenewable, methodFacts, type Obtained } from '@legate/delegation';
import { tokenId } from '@legate/jwt';
import { ulid } from 'ulid';
import type { CallObserver, CallStep } from '../domain/call-step.ts';
import type { Caller } from '../domain/caller.ts';
import type { Decided } from '../domain/decision.ts';
import { decidedBy } from '../refusals/call-refused.ts';
import type { Reservation } from './outbox.ts';

/** Parts of a call whose time is measured, in milliseconds over all attempts */
export type TimedLeg = 'registry' | 'cache' | 'idp' | 'authorization_server' | 'tool_server';

/** A tool call with the delegation that it needs, or a delegation for something else, such as a list. */
export type CallKind = 'tool' | 'prompt' | 'resource' | 'delegation';

/** A call in progress. */
export interface RunningCall extends CallObserver {
  readonly id: string;
  /**
   * Ends the call, without waiting or throwing; its event is created after the response. Ending it again has no effect.
   */
  end(): void;
}

/** The summary of a call's steps. It contains no tokens, only their ids. */
export interface CallSummary {
  readonly kind: CallKind;
  readonly id: string;
  /** Epoch milliseconds; the same time as in the id */
  readonly occurredAtMs: number;
  readonly caller: Caller;
  /** Space reserved for the event, if calls whose event cannot be stored are refused */
  readonly reservation: Reservation | undefined;
  /** Start of the call. This and `endedAt` are milliseconds on the scale of `performance.now()` */
  readonly startedAt: number;
  readonly endedAt: number;
  /** Id of the connector; before the step `target_found` it is the id that the caller sent, which may not exist */
  readonly connectorId: string | undefined;
  readonly connectorName: string | undefined;
  /** Name of the tool or prompt, or URI of the resource */
  readonly tool: string | undefined;
  /** Id of the denied call that this one repeats, according to the caller. No decision depends on it. */
  readonly retryOf: string | undefined;
  /** The method of the connector that was used */
  readonly method: string | undefined;
  /** Source of the credential of the last attempt */
  readonly source: 'cache' | 'issued' | 'configured' | undefined;
  /** Ids of both tokens; see `tokenId` */
  readonly accessTokenId: string | undefined;
  readonly idJagId: string | undefined;
  /** `DelegationFacts.actor` */
  readonly actor: DelegationFacts['actor'];
  /** `DelegationFacts.audienceScoped` */
  readonly audienceScoped: DelegationFacts['audienceScoped'];
  /** `DelegationFacts.usedMethod` of all delegations */
  readonly usedMethods: readonly string[];
  readonly durations: Readonly<Partial<Record<TimedLeg, number>>>;
  /** The tool server reported an error. */
  readonly toolFailed: boolean;
  readonly callerLeft: boolean;
  /** A request was sent to the tool server, so the tool may have run. */
  readonly wasSent: boolean;
  readonly refusal: Decided | undefined;
}

/**
 * Returns the id of a call, which is also that of its audit event: `evt_` and a ULID of the millisecond in which the
 * call began.
 */
export const newCallId = (atMs: number, random?: () => number): string => `evt_${ulid(atMs, random)}`;

/**
 * Makes call ids with random bytes read in bulk: the library's own source reads from the system for each of 16
 * characters.
 */
export function createCallIds(): (atMs: number) => string {
  const pool = Buffer.alloc(4096);
  let used = pool.length;

  /** @returns 0 to less than 1, in steps of 1/256, so that all 32 characters are equally likely */
  function random(): number {
    if (used === pool.length) {
      randomFillSync(pool);
      used = 0;
    }
    const byte = pool.readUInt8(used);
    used += 1;
    return byte / 256;
  }

  return (atMs) => newCallId(atMs, random);
}

type Writable<T> = { -readonly [Member in keyof T]: T[Member] };

/** Collects the steps of one call in its summary. No other code changes the summary. */
export class CallRecord implements RunningCall {
  private readonly sum: Writable<CallSummary>;
  private readonly durations: Partial<Record<TimedLeg, number>> = {};

  /**
   * @param begun.startedAt on the scale of `performance.now()`; default: now
   * @param recorded delegations that belong to a call's event, or already have their own
   */
  constructor(
    begun: Pick<CallSummary, 'kind' | 'id' | 'occurredAtMs' | 'caller'> & {
      readonly reservation?: Reservation | undefined;
      readonly startedAt?: number | undefined;
    },
    private readonly recorded: WeakSet<DelegationFacts>,
    private readonly onEnd: (call: CallSummary) => void,
  ) {
    this.sum = {
      kind: begun.kind,
      id: begun.id,
      occurredAtMs: begun.occurredAtMs,
      caller: begun.caller,
      reservation: begun.reservation,
      startedAt: begun.startedAt ?? performance.now(),
      endedAt: 0,
      connectorId: undefined,
      connectorName: undefined,
      tool: undefined,
      retryOf: undefined,
      method: undefined,
      source: undefined,
      accessTokenId: undefined,
      idJagId: undefined,
      actor: undefined,
      audienceScoped: undefined,
      usedMethods: [],
      durations: this.durations,
      toolFailed: false,
      callerLeft: false,
      wasSent: false,
      refusal: undefined,
    };
  }

  get id(): string {
    return this.sum.id;
  }

  /** The summary so far; later steps change it. */
  get summary(): CallSummary {
    return this.sum;
  }

  end(): void {
    if (this.sum.endedAt !== 0) return;
    this.sum.endedAt = performance.now();
    this.onEnd(this.sum);
  }

  report(step: CallStep): void {
    switch (step.step) {
      case 'addressed':
        this.sum.connectorId = step.connectorId;
        this.sum.tool = step.name;
        this.sum.retryOf ??= step.retryOf;
        return;
      case 'connectors_found':
        this.add('registry', performance.now() - this.sum.startedAt);
        return;
      case 'target_found':
        this.sum.connectorId = step.connector.id;
        this.sum.connectorName = step.connector.name;
        this.sum.tool = step.name;
        return;
      case 'credential_obtained':
        this.sum.connectorId = step.connector.id;
        this.sum.connectorName = step.connector.name;
        this.obtained(step.obtained, step.ms);
        return;
      case 'request_sent':
        this.add('tool_server', step.ms);
        if (step.answer.kind !== 'unavailable' || step.answer.isUnsent !== true) this.sum.wasSent = true;
        return;
      case 'answered':
        this.sum.toolFailed = step.answer.kind === 'result' && step.answer.result.isError === true;
        this.sum.callerLeft = step.callerLeft && step.answer.kind === 'unavailable';
        return;
      case 'refused':
        this.sum.refusal ??= step.decided; // later refusals follow from the first and may be less precise
        return;
      case 'failed':
        this.sum.refusal ??= decidedBy(step.error);
        return;
      case 'cut':
        this.sum.refusal = decidedBy(step.why);
        return;
    }
  }

  /** Adds the result of a delegation; of several attempts, the credential of the last one counts. */
  private obtained(obtained: Obtained, ms: number): void {
    const { facts } = obtained;
    if (facts) this.recorded.add(facts);
    this.add('idp', facts?.idpMs);
    this.add('authorization_server', facts?.authorizationServerMs);
    this.sum.idJagId = facts?.idJagId ?? this.sum.idJagId;
    this.sum.actor = facts?.actor ?? this.sum.actor;
    this.sum.audienceScoped = facts?.audienceScoped ?? this.sum.audienceScoped;
    if (facts?.usedMethod !== undefined) this.sum.usedMethods = [...this.sum.usedMethods, facts.usedMethod];
    if (obtained.outcome !== 'granted') return;
    const { credential, fromCache } = obtained;
    if (fromCache) this.add('cache', ms);
    this.sum.method = credential.method;
    this.sum.source = fromCache ? 'cache' : isRenewable(credential.method) ? 'issued' : 'configured';
    // A connector's own key is not a token, and a hash would help to guess it.
    this.sum.accessTokenId =
      credential.kind === 'access_token' ? (credential.id ?? tokenId(credential.accessToken)) : undefined;
  }

  private add(leg: TimedLeg, ms: number | undefined): void {
    if (ms !== undefined) this.durations[leg] = (this.durations[leg] ?? 0) + ms;
  }
}

/** Returns the outcome of a call. */
export function howEnded({ callerLeft, refusal, toolFailed, source, method }: CallSummary): Decided {
  if (callerLeft) return { leg: 'caller', rule: 'caller_gone' };
  if (refusal) return refusal;
  if (toolFailed) return { leg: 'tool_server', rule: 'tool_failed' };
  switch (source) {
    case 'cache':
      return { leg: 'cache', rule: 'token_cached' };
    case 'issued':
      if (method !== undefined && methodFacts(method).exchangesAccessTokens)
        return { leg: 'idp', rule: 'token_exchanged' };
      return { leg: 'authorization_server', rule: 'token_issued' };
    case 'configured':
      return { leg: 'registry', rule: 'credential_configured' };
    case undefined: // the call has no result, and no step reported a reason
      return { leg: 'hub', rule: 'internal_error' };
  }
}
