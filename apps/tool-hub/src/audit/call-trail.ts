import type { Logger } from '@legate/service';
import type { Caller } from '../caller/caller.ts';
import { auditEventOf } from './audit-event.ts';
import { newCallId } from './call-id.ts';
import { CallRecord, type Deed } from './call-record.ts';
import type { Explanations } from './explanations.ts';
import type { Outbox } from './outbox.ts';

/** Every call and delegation, once each: begun where it comes in, ended where its answer leaves. */
export interface CallTrail {
  begin(deed: Deed, caller: Caller): CallRecord;
  /** Neither waits nor throws; what it costs, it costs after the answer. Ending it again changes nothing. */
  end(record: CallRecord): void;
  /** An event of something else than a call, as JSON can have it. */
  note(event: object): void;
  /** Hands on what has ended. */
  flush(): void;
}

/** @param deps.logEvents writes each event to the log, for a hub that has nobody to tell */
export function createCallTrail(deps: {
  outbox: Pick<Outbox, 'add'>;
  explanations: Pick<Explanations, 'keep'>;
  clock: () => Date;
  log: Logger;
  logEvents: boolean;
  /** Told how many events were made. */
  onRecorded: (count: number) => void;
  /** Told of each call that ended, for metrics. */
  onEnded: (record: CallRecord) => void;
}): CallTrail {
  const { outbox, explanations, clock, log } = deps;
  let ended: CallRecord[] = [];

  function flush(): void {
    const records = ended;
    if (records.length === 0) return;
    ended = [];
    const events: string[] = [];
    for (const record of records) {
      deps.onEnded(record);
      const event = auditEventOf(record);
      const json = JSON.stringify(event);
      events.push(json);
      explanations.keep(event, json);
      if (deps.logEvents) log.info({ audit: event }, 'audit event');
    }
    deps.onRecorded(events.length);
    outbox.add(events);
  }

  return {
    begin(deed, caller) {
      const atMs = clock().getTime();
      return new CallRecord(deed, newCallId(atMs), atMs, caller);
    },
    end(record) {
      if (record.endedAt !== 0) return;
      record.endedAt = performance.now();
      // In one go with the others that end now, and behind their answers.
      if (ended.push(record) === 1) setImmediate(flush);
    },
    note(event) {
      if (deps.logEvents) log.info({ audit: event }, 'audit event');
      deps.onRecorded(1);
      outbox.add([JSON.stringify(event)]);
    },
    flush,
  };
}
