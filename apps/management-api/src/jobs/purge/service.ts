import { PURGED, type Purged, type PurgeStore } from './store.ts';

type Kind = Purged | 'audit_months';

export interface PurgeReport {
  /** `left`: another process was purging, so this one stopped */
  readonly outcome: 'done' | 'left' | 'stopped';
  /** Number of deleted things by kind; kinds without any are omitted */
  readonly counts: Readonly<Partial<Record<Kind, number>>>;
}

/**
 * Deletes all due data, batch by batch, each in its own transaction. @param signal stops it after the current
 * batch
 */
export type RunPurge = (signal?: AbortSignal) => Promise<PurgeReport>;

/** Small enough for the time limit of a statement, however many rows belong to each row */
const BATCH = 200;

/**
 * @param deps.makeAuditMonths creates the coming months of the audit trail, for a process that runs longer
 * than the existing ones last
 * @param deps.auditMonthsKept undefined: the audit trail is kept forever
 * @param deps.onPurged called for each batch, so that batches before a failure are counted too
 */
export function createPurge(deps: {
  store: PurgeStore;
  makeAuditMonths: () => Promise<void>;
  auditMonthsKept: number | undefined;
  clock: () => Date;
  onPurged: (kind: Kind, gone: number) => void;
  batch?: number;
}): RunPurge {
  const { store, makeAuditMonths, auditMonthsKept, clock, onPurged, batch = BATCH } = deps;

  return async (signal) => {
    const counts: Partial<Record<Kind, number>> = {};
    const report = (kind: Kind, gone: number) => {
      if (gone === 0) return;
      counts[kind] = (counts[kind] ?? 0) + gone;
      onPurged(kind, gone);
    };

    await makeAuditMonths();
    if (auditMonthsKept !== undefined) {
      report('audit_months', await store.dropAuditMonths(clock(), auditMonthsKept));
    }
    for (const kind of PURGED) {
      let gone = batch;
      while (gone >= batch) {
        if (signal?.aborted) return { outcome: 'stopped', counts };
        const deleted = await store.deleteDue(kind, clock(), batch);
        if (deleted === undefined) return { outcome: 'left', counts };
        gone = deleted;
        report(kind, gone);
      }
    }
    return { outcome: 'done', counts };
  };
}
