import { randomFillSync } from 'node:crypto';
import { ulid } from 'ulid';

/** Header of every answer to a call of a tool. */
export const CALL_ID_HEADER = 'Legate-Call-Id';
/** Key of the call's id in `_meta` of a result (MCP, "_meta": a prefix of our own, and a name). */
export const CALL_ID_KEY = 'legate/call_id';

/** The id of a call is that of its audit event: `evt_` and a ULID of the millisecond in which it began. */
export const newCallId = (atMs: number, random?: () => number): string => `evt_${ulid(atMs, random)}`;

/** Makes call ids with random bytes read in bulk: the library's own source asks the system for each of 16 characters. */
export function createCallIds(): (atMs: number) => string {
  const pool = Buffer.alloc(4096);
  let used = pool.length;

  /** @returns 0 to less than 1, in steps of 1/256: of these, 32 characters get the same share each */
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
