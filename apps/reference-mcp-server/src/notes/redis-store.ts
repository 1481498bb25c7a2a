import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { MAX_NOTES_PER_USER, type NoteStore } from './store.ts';

/** Lifetime of an owner's notes after the last write. */
const TTL_SECONDS = 30 * 24 * 3600;

/**
 * Creates a note. KEYS[1]: the owner's notes; ARGV: limit, id, note, seconds. One atomic step, so that concurrent calls
 * do not exceed the limit.
 */
const CREATE = `
if redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[1]) then return 0 end
redis.call('HSET', KEYS[1], ARGV[2], ARGV[3])
redis.call('EXPIRE', KEYS[1], ARGV[4])
return 1`;

const StoredNote = z.object({ id: z.string(), text: z.string(), created_at: z.iso.datetime() });

/**
 * Stores notes for all replicas. Each owner has one hash, so that each command has one key, as Redis Cluster requires.
 */
export function createRedisNotes(options: {
  redis: Pick<Redis, 'eval' | 'hvals' | 'hdel'>;
  clock: () => Date;
}): NoteStore {
  const { redis, clock } = options;
  const keyOf = (owner: string) => `notes:${owner}`;
  return {
    async create(owner, text) {
      const note = { id: `note_${randomUUID()}`, text, createdAt: clock() };
      const stored = JSON.stringify({ id: note.id, text, created_at: note.createdAt.toISOString() });
      const args = [MAX_NOTES_PER_USER, note.id, stored, TTL_SECONDS];
      return (await redis.eval(CREATE, 1, keyOf(owner), ...args)) === 1 ? note : undefined;
    },
    async list(owner) {
      const notes = (await redis.hvals(keyOf(owner))).map((stored) => {
        const { id, text, created_at } = StoredNote.parse(JSON.parse(stored));
        return { id, text, createdAt: new Date(created_at) };
      });
      return notes.sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || a.id.localeCompare(b.id));
    },
    delete: async (owner, id) => (await redis.hdel(keyOf(owner), id)) === 1,
  };
}
