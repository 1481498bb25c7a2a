import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';

export interface Note {
  readonly id: string;
  readonly text: string;
  readonly createdAt: Date;
}

/** Notes by owner; nobody can reach another owner's notes. */
export interface NoteStore {
  /** @returns undefined when the owner has as many notes as there may be */
  create(owner: string, text: string): Promise<Note | undefined>;
  /** Oldest first. */
  list(owner: string): Promise<readonly Note[]>;
  /** @returns false when the owner has no such note */
  delete(owner: string, id: string): Promise<boolean>;
}

export const MAX_NOTE_LENGTH = 2000;
export const MAX_NOTES_PER_USER = 100;
/** More users displace those whose notes were unused for the longest time. */
const MAX_USERS = 1000;

/** Notes in the memory of this process, lost when it ends. */
export function createMemoryNotes(options: { clock: () => Date }): NoteStore {
  const notesByOwner = new LRUCache<string, Map<string, Note>>({ max: MAX_USERS });
  return {
    async create(owner, text) {
      const notes = notesByOwner.get(owner) ?? new Map<string, Note>();
      if (notes.size >= MAX_NOTES_PER_USER) return undefined;
      const note = { id: `note_${randomUUID()}`, text, createdAt: options.clock() };
      notes.set(note.id, note);
      notesByOwner.set(owner, notes);
      return note;
    },
    list: async (owner) => [...(notesByOwner.get(owner)?.values() ?? [])],
    delete: async (owner, id) => notesByOwner.get(owner)?.delete(id) ?? false,
  };
}
