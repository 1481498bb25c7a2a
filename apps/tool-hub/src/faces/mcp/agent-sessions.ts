import { randomUUID } from 'node:crypto';
import {
  type ClientExtensions,
  itemsOf,
  membersOf,
  toClientExtensions,
  writeObject,
} from '@legate/mcp-client';
import { type EncryptionKeys, open, seal, UnreadableEntry } from '@legate/secure-store';
import { z } from 'zod';
import type { Caller } from '../../domain/caller.ts';
import { elicits } from './elicitation.ts';

/**
 * `Mcp-Session-Id` of older revisions. An agent declares its capabilities only once, in `initialize`. Its session id
 * contains what later requests need of them, at any replica. The id never authenticates: every request has its user's
 * token.
 * @see docs/adr/0051-what-passes-between-agents-and-tool-servers.md
 */
export type AgentSessions = ReturnType<typeof createAgentSessions>;

const PREFIX = 'lms_';
/** Maximum characters, since the id is a header of every request */
export const MAX_SESSION_ID_LENGTH = 1024;
const LIFETIME_SECONDS = 86_400;

/** Epoch seconds at which the id expires, the extensions, and whether the agent can show its user a link */
const Sealed = z.tuple([z.number(), z.record(z.string(), z.unknown()), z.boolean().optional()]);

/** The part of an agent's `initialize` declaration that later requests need */
export interface DeclaredCapabilities {
  readonly extensions: ClientExtensions | undefined;
  readonly canElicitUrl: boolean;
}

export function createAgentSessions(deps: { keys: EncryptionKeys; clock: () => Date }) {
  const nowSeconds = () => Math.floor(deps.clock().getTime() / 1000);
  return {
    /** @param capabilities JSON text of the capabilities in `initialize` */
    begin(caller: Caller, capabilities = '{}'): string {
      const declared = membersOf(capabilities);
      const extensions = toClientExtensions(declared.get('extensions'));
      const canElicitUrl = elicits(JSON.parse(declared.get('elicitation') ?? 'null'), 'url');
      if (!extensions && !canElicitUrl) return randomUUID();
      const endsAt = nowSeconds() + LIFETIME_SECONDS;
      const content = `[${endsAt},${writeObject(extensions?.members ?? [])},${canElicitUrl}]`;
      const id = PREFIX + seal(deps.keys, nameOf(caller), content).toString('base64url');
      return id.length > MAX_SESSION_ID_LENGTH ? randomUUID() : id;
    },
    /** @returns undefined for any other id: another user's, an expired one, or one that the hub did not issue */
    declaredIn(caller: Caller, sessionId: string | undefined): DeclaredCapabilities | undefined {
      if (!sessionId?.startsWith(PREFIX)) return undefined;
      try {
        const bytes = Buffer.from(sessionId.slice(PREFIX.length), 'base64url');
        const { plaintext } = open(deps.keys, nameOf(caller), bytes);
        const [endsAt, , canElicitUrl = false] = Sealed.parse(JSON.parse(plaintext));
        const [, members] = itemsOf(plaintext);
        return endsAt > nowSeconds() ? { extensions: toClientExtensions(members), canElicitUrl } : undefined;
      } catch (err) {
        if (err instanceof UnreadableEntry || err instanceof z.ZodError) return undefined;
        throw err;
      }
    },
  };
}

const nameOf = ({ organizationId, userId }: Caller): string =>
  JSON.stringify(['mcpSession', organizationId, userId]);
