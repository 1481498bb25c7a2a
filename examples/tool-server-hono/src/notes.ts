import { randomUUID } from 'node:crypto';
import { callerOf } from '@legate/tool-server';
import { type AuthInfo, McpServer, requireScopes } from '@modelcontextprotocol/server';
import { z } from 'zod';

export const SCOPES = ['notes:read', 'notes:write'];
const MAX_NOTES = 100;

const Note = z.object({ id: z.string(), text: z.string() });
type Note = z.output<typeof Note>;

/** The notes of each user. A real server has a database, with the same key. */
const notesOf = new Map<string, Note[]>();

/** One MCP server for each request: its tools act for the user of the access token, never for one in an argument. */
export function createNotesServer({ authInfo }: { authInfo?: AuthInfo }): McpServer {
  const server = new McpServer({ name: 'notes', version: '1.0.0' });
  const { userKey } = callerOf(authInfo);
  const notes = notesOf.get(userKey) ?? [];
  notesOf.set(userKey, notes);

  server.registerTool(
    'create_note',
    {
      title: 'Create a note',
      description: 'Keeps a note that only the signed-in user can read.',
      inputSchema: z.object({ text: z.string().min(1).max(2000) }),
      outputSchema: Note,
      scopeChallenge: requireScopes('notes:write'),
    },
    ({ text }) => {
      if (notes.length >= MAX_NOTES)
        return failure(`There are ${MAX_NOTES} notes already. Delete one first.`);
      const note = { id: `note_${randomUUID()}`, text };
      notes.push(note);
      return success(note);
    },
  );

  server.registerTool(
    'list_notes',
    {
      title: 'List notes',
      description: 'Lists the notes of the signed-in user, oldest first.',
      outputSchema: z.object({ notes: z.array(Note) }),
      annotations: { readOnlyHint: true }, // an agent need not ask its user first
      scopeChallenge: requireScopes('notes:read'),
    },
    () => success({ notes }),
  );

  server.registerTool(
    'delete_note',
    {
      title: 'Delete a note',
      description: 'Deletes a note of the signed-in user for good.',
      inputSchema: z.object({ id: z.string() }),
      outputSchema: z.object({ deleted: z.string() }),
      annotations: { destructiveHint: true, idempotentHint: true },
      scopeChallenge: requireScopes('notes:write'),
    },
    ({ id }) => {
      const index = notes.findIndex((note) => note.id === id);
      if (index === -1) return failure('There is no note with this id.');
      notes.splice(index, 1);
      return success({ deleted: id });
    },
  );
  return server;
}

const success = <T extends object>(structuredContent: T) => ({
  content: [{ type: 'text' as const, text: JSON.stringify(structuredContent) }],
  structuredContent: { ...structuredContent },
});

const failure = (text: string) => ({ content: [{ type: 'text' as const, text }], isError: true });
