import type { Logger } from '@legate/service';
import { callerOf } from '@legate/tool-server';
import { type AuthInfo, type McpServer, requireScopes } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { CALL, READ } from '../tools/scopes.ts';
import { answerOrFail, ToolFailure } from '../tools/tool-failure.ts';
import { MAX_NOTE_LENGTH, MAX_NOTES_PER_USER, type Note, type NoteStore } from './store.ts';

const NoteOnTheWire = z.object({ id: z.string(), text: z.string(), created_at: z.iso.datetime() });

const toWire = ({ id, text, createdAt }: Note) => ({ id, text, created_at: createdAt.toISOString() });

/**
 * `create_note`, `list_notes`, `delete_note`: tools for the notes of the caller. The caller comes from the token, not
 * from an argument.
 */
export function registerNotes(
  server: McpServer,
  deps: { notes: NoteStore; authInfo: AuthInfo | undefined; log: Logger },
): void {
  const { notes, authInfo, log } = deps;
  const owner = () => callerOf(authInfo).userKey;

  server.registerTool(
    'create_note',
    {
      title: 'Create a note',
      description: 'Saves a note that only the signed-in user can read.',
      inputSchema: z.object({ text: z.string().min(1).max(MAX_NOTE_LENGTH) }),
      outputSchema: NoteOnTheWire,
      annotations: {
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: false,
        openWorldHint: false,
      },
      scopeChallenge: requireScopes(CALL),
    },
    ({ text }) =>
      answerOrFail(log, 'create_note', async () => {
        const note = await notes.create(owner(), text);
        if (!note) throw new ToolFailure(`There are ${MAX_NOTES_PER_USER} notes already. Delete one first.`);
        return toWire(note);
      }),
  );

  server.registerTool(
    'list_notes',
    {
      title: 'List notes',
      description: 'Lists the notes of the signed-in user, oldest first.',
      inputSchema: z.object({}),
      outputSchema: z.object({ notes: z.array(NoteOnTheWire) }),
      annotations: { readOnlyHint: true, openWorldHint: false },
      scopeChallenge: requireScopes(READ),
    },
    () => answerOrFail(log, 'list_notes', async () => ({ notes: (await notes.list(owner())).map(toWire) })),
  );

  server.registerTool(
    'delete_note',
    {
      title: 'Delete a note',
      description: 'Deletes a note of the signed-in user for good.',
      inputSchema: z.object({ id: z.string().min(1).max(64) }),
      outputSchema: z.object({ deleted: z.string() }),
      annotations: {
        readOnlyHint: false,
        destructiveHint: true,
        idempotentHint: true,
        openWorldHint: false,
      },
      scopeChallenge: requireScopes(CALL),
    },
    ({ id }) =>
      answerOrFail(log, 'delete_note', async () => {
        // Another user's note is reported as not found.
        if (!(await notes.delete(owner(), id))) throw new ToolFailure('There is no note with this id.');
        return { deleted: id };
      }),
  );
}
