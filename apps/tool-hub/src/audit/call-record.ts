import { isRenewable, type Obtained, tokenId } from '@legate/delegation';
import type { McpAnswer } from '@legate/mcp-client';
import type { Caller } from '../domain/caller.ts';
import type { Connector } from '../domain/connector.ts';
import type { Decided } from '../domain/decision.ts';
import { decidedBy } from '../refusals/call-refused.ts';
import type { Reservation } from './outbox.ts';

/** Milliseconds that a call has spent at each leg, all attempts together */
export type TimedLeg = 'registry' | 'cache' | 'idp' | 'authorization_server' | 'tool_server';

/** A call of a tool with the delegation that it needs, or a delegation that nothing but a list or the like needs. */
export type Deed = 'tool' | 'prompt' | 'resource' | 'delegation';

/**
 * What is learned of one call on its way, each by the room that knows it. Of the tokens that were used
 * it holds what they are recognised by.
 */
export class CallRecord {
  /** Both on `performance.now()`'s scale */
  startedAt = performance.now();
  endedAt = 0;
  connectorId: string | undefined;
  connectorName: string | undefined;
  /** Name of the tool or prompt, or URI of the resource */
  tool: string | undefined;
  /** Of the connector's methods the one that was used */
  method: string | undefined;
  /** Whence the credential came that the tool server was called with */
  source: 'cache' | 'issued' | 'configured' | undefined;
  /** Both as `tokenId` gives them */
  accessTokenId: string | undefined;
  idJagId: string | undefined;
  /** `Passage.usedIdJag` */
  usedIdJag = false;
  /** `Passage.usedConsent` */
  usedConsent = false;
  readonly durations: Partial<Record<TimedLeg, number>> = {};
  /** The tool ran, and says that it failed. */
  toolFailed = false;
  callerLeft = false;
  /** A request has left for the tool server, so that the call may have had its effect. */
  wasSent = false;
  /** Room for its event, where a call without one is not carried out */
  reservation: Reservation | undefined;
  refusal: Decided | undefined;

  constructor(
    readonly deed: Deed,
    readonly id: string,
    /** Epoch milliseconds, those of the id */
    readonly occurredAtMs: number,
    readonly caller: Caller,
  ) {}

  at({ id, name }: Pick<Connector, 'id' | 'name'>): void {
    this.connectorId = id;
    this.connectorName = name;
  }

  /** Of several attempts, the last one's credential is the one that counts. */
  obtained(obtained: Obtained, ms: number): void {
    const { passage } = obtained;
    this.add('idp', passage?.idpMs);
    this.add('authorization_server', passage?.authorizationServerMs);
    this.idJagId = passage?.idJagId ?? this.idJagId;
    if (passage?.usedIdJag) this.usedIdJag = true;
    if (passage?.usedConsent) this.usedConsent = true;
    if (obtained.outcome !== 'granted') return;
    const { credential, fromCache } = obtained;
    if (fromCache) this.add('cache', ms);
    this.method = credential.method;
    this.source = fromCache ? 'cache' : isRenewable(credential.method) ? 'issued' : 'configured';
    // A connector's own key is no token: its hash would help whoever guesses.
    this.accessTokenId =
      credential.kind === 'access_token' ? (credential.id ?? tokenId(credential.accessToken)) : undefined;
  }

  /** Told of each answer of the tool server, and of what stands in its place. */
  sent(answer: McpAnswer): void {
    if (answer.kind !== 'unavailable' || answer.isUnsent !== true) this.wasSent = true;
  }

  answered(answer: McpAnswer, callerLeft: boolean): void {
    this.toolFailed = answer.kind === 'result' && answer.result.isError === true;
    this.callerLeft = callerLeft && answer.kind === 'unavailable';
  }

  /** @param since on `performance.now()`'s scale */
  spent(leg: TimedLeg, since: number): void {
    this.add(leg, performance.now() - since);
  }

  add(leg: TimedLeg, ms: number | undefined): void {
    if (ms !== undefined) this.durations[leg] = (this.durations[leg] ?? 0) + ms;
  }

  /** The first refusal counts: what follows from it may say less. */
  refuse(decided: Decided): void {
    this.refusal ??= decided;
  }

  /** It was ended, whatever came of that on its way out. */
  cut(why: unknown): void {
    this.refusal = decidedBy(why);
  }

  fail(err: unknown): void {
    this.refuse(decidedBy(err));
  }

  /** How it ended, as far as is known now */
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
      case undefined: // it came to nothing, and nobody said why
        return { leg: 'hub', rule: 'internal_error' };
    }
  }
}
