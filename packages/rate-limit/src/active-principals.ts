/** Principals who have called within this time share the limit of their group. */
const ACTIVE_MS = 120_000;
const MAX_GROUPS = 10_000;

/** The last two different principals of a group, which is enough to determine whether a caller is alone. */
interface Seen {
  last: string;
  lastMs: number;
  before: string | undefined;
  beforeMs: number;
}

/** Remembers, in this process, which groups currently have more than one principal. */
export function createActivePrincipals(options: { now: () => number }) {
  const { now } = options;
  const groups = new Map<string, Seen>();

  return {
    /** Call once per request. @returns true if another principal of the group was seen within two minutes */
    note(group: string, principal: string): boolean {
      const nowMs = now();
      const seen = groups.get(group);
      if (!seen) {
        const [oldest] = groups.keys();
        if (oldest !== undefined && groups.size >= MAX_GROUPS) groups.delete(oldest);
        groups.set(group, { last: principal, lastMs: nowMs, before: undefined, beforeMs: 0 });
        return false;
      }
      if (seen.last !== principal) {
        seen.before = seen.last;
        seen.beforeMs = seen.lastMs;
        seen.last = principal;
      }
      seen.lastMs = nowMs;
      return seen.before !== undefined && nowMs - seen.beforeMs < ACTIVE_MS;
    },
    /** Returns the same result as `note`, but does not record the principal. */
    hasOthers(group: string, principal: string): boolean {
      const seen = groups.get(group);
      if (!seen) return false;
      const nowMs = now();
      if (seen.last !== principal && nowMs - seen.lastMs < ACTIVE_MS) return true;
      const { before, beforeMs } = seen;
      return before !== undefined && before !== principal && nowMs - beforeMs < ACTIVE_MS;
    },
  };
}
