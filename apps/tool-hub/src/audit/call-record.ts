import { type DelegationFacts, isRenewable, type Obtained } from '@legate/delegation';
import { tokenId } from '@legate/jwt';
import type { CallObserver, CallStep } from '../domain/call-step.ts';
import type { Caller } from '../domain/caller.ts';
import type { Decided } from '../domain/decision.ts';
import { decidedBy } from '../refusals/call-refused.ts';
import type { Reservation } from './outbox.ts';

/** Milliseconds that a call has spent at each leg, all attempts together */
export type TimedLeg = 'registry' | 'cache' | 'idp' | 'authorization_server' | 'tool_server';

/** A call of a tool with the delegation that it needs, or a delegation that nothing but a list or the like needs. */
export type Deed = 'tool' | 'prompt' | 'resource' | 'delegation';

/** A call in progress. */
export interface RunningCall extends CallObserver {
  readonly id: string;
  /** Neither waits nor throws; the event is made after the answer. Ending a call again changes nothing. */
  end(): void;
}

/** The sum of the steps of one call. It holds no tokens, only their ids. */
export class CallRecord implements RunningCall {
  /** Both on the scale of `performance.now()` */
  startedAt = performance.now();
  endedAt = 0;
  /** As the caller names it, until the step `target_found`: there may be no such connector. */
  connectorId: string | undefined;
  connectorName: string | undefined;
  /** Name of the tool or prompt, or URI of the resource */
  tool: string | undefined;
  /** Id of the denied call that this one repeats, as the caller says: nothing is decided by it. */
  retryOf: string | undefined;
  /** The connector's method that was used */
  method: string | undefined;
  /** Whence the credential came that the tool server was called with */
  source: 'cache' | 'issued' | 'configured' | undefined;
  /** See `tokenId` for both */
  accessTokenId: string | undefined;
  idJagId: string | undefined;
  /** `DelegationFacts.usedIdJag` */
  usedIdJag = false;
  /** `DelegationFacts.usedConsent` */
  usedConsent = false;
  readonly durations: Partial<Record<TimedLeg, number>> = {};
  /** The tool ran, and says that it failed. */
  toolFailed = false;
  callerLeft = false;
  /** A request has left for the tool server, so that the call may have had its effect. */
  wasSent = false;
  /** Room for its event, if calls without one are refused */
  reservation: Reservation | undefined;
  refusal: Decided | undefined;

  constructor(
    readonly deed: Deed,
    readonly id: string,
    /** Epoch milliseconds, those of the id */
    readonly occurredAtMs: number,
    readonly caller: Caller,
    /** Delegations that are part of a call's event, or have their own */
    private readonly told: WeakSet<DelegationFacts>,
    private readonly onEnd: (record: CallRecord) => void,
  ) {}

  end(): void {
    if (this.endedAt !== 0) return;
    this.endedAt = performance.now();
    this.onEnd(this);
  }

  tell(step: CallStep): void {
    switch (step.step) {
      case 'addressed':
        this.connectorId = step.connectorId;
        this.tool = step.name;
        this.retryOf ??= step.retryOf;
        return;
      case 'connectors_found':
        this.add('registry', performance.now() - this.startedAt);
        return;
      case 'target_found':
        this.connectorId = step.connector.id;
        this.connectorName = step.connector.name;
        this.tool = step.name;
        return;
      case 'credential_obtained':
        this.obtained(step.obtained, step.ms);
        return;
      case 'request_sent':
        this.add('tool_server', step.ms);
        if (step.answer.kind !== 'unavailable' || step.answer.isUnsent !== true) this.wasSent = true;
        return;
      case 'answered':
        this.toolFailed = step.answer.kind === 'result' && step.answer.result.isError === true;
        this.callerLeft = step.callerLeft && step.answer.kind === 'unavailable';
        return;
      case 'refused':
        this.refusal ??= step.decided; // what follows from the first refusal may say less
        return;
      case 'failed':
        this.refusal ??= decidedBy(step.error);
        return;
      case 'cut':
        this.refusal = decidedBy(step.why);
        return;
    }
  }

  /** After several attempts, the last one's credential counts. */
  private obtained(obtained: Obtained, ms: number): void {
    const { facts } = obtained;
    if (facts) this.told.add(facts);
    this.add('idp', facts?.idpMs);
    this.add('authorization_server', facts?.authorizationServerMs);
    this.idJagId = facts?.idJagId ?? this.idJagId;
    if (facts?.usedIdJag) this.usedIdJag = true;
    if (facts?.usedConsent) this.usedConsent = true;
    if (obtained.outcome !== 'granted') return;
    const { credential, fromCache } = obtained;
    if (fromCache) this.add('cache', ms);
    this.method = credential.method;
    this.source = fromCache ? 'cache' : isRenewable(credential.method) ? 'issued' : 'configured';
    // A connector's own key is not a token: its hash would help to guess it.
    this.accessTokenId =
      credential.kind === 'access_token' ? (credential.id ?? tokenId(credential.accessToken)) : undefined;
  }

  private add(leg: TimedLeg, ms: number | undefined): void {
    if (ms !== undefined) this.durations[leg] = (this.durations[leg] ?? 0) + ms;
  }

  /** How the call ended, as far as known now */
  decided(): Decided {
    if (this.callerLeft) return { leg: 'caller', rule: 'caller_gone' };
    if (this.refusal) return this.refusal;
    if (this.toolFailed) return { leg: 'tool_server', rule: 'tool_failed' };
    switch (this.source) {
      case 'cache':
        return { leg: 'cache', rule: 'token_cached' };
      case 'issued':
        return { leg: 'authorization_server', rule: 'token_issued' };
      case 'configured':
        return { leg: 'registry', rule: 'credential_configured' };
      case undefined: // it has no result, and no module reported why
        return { leg: 'hub', rule: 'internal_error' };
    }
  }
}
