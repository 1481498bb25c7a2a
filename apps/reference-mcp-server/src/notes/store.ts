import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';

export interface Note {
  readonly id: string;
  readonly text: string;
  readonly createdAt: Date;
}

/** Notes by owner; no method reaches another owner's notes. */
export interface NoteStore {
  /** @returns undefined if the owner already has the maximum number of notes */
  create(owner: string, text: string): Promise<Note | undefined>;
  /** Returns the owner's notes, oldest first. */
  list(owner: string): Promise<readonly Note[]>;
  /** @returns false when the owner has no such note */
  delete(owner: string, id: string): Promise<boolean>;
}

export const MAX_NOTE_LENGTH = 2000;
export const MAX_NOTES_PER_USER = 100;
/** Maximum number of users; beyond it the notes that were unused for the longest time are dropped. */
const MAX_USERS = 1000;

/** Stores notes in the memory of this process; they are lost when it ends. */
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
