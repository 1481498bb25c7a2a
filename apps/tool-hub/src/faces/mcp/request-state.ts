import { INVALID_PARAMS } from '@legate/mcp-client';
import { type EncryptionKeys, open, seal, UnreadableEntry } from '@legate/secure-store';
import { z } from 'zod';
import type { Caller } from '../../domain/caller.ts';
import type { Connector } from '../../domain/connector.ts';
import { RpcError } from '../../refusals/rpc-error.ts';

/** The owner of a tool server's state: this user's next attempt at the same request to the same connector */
export interface StateOwner {
  readonly caller: Caller;
  readonly connector: Connector;
  readonly method: string;
  readonly name: string;
}

/**
 * Seals and opens a tool server's `requestState`, which passes through an agent. It is encrypted, so that no agent can
 * read it, change it, or send it to another connector, user or tool.
 * @see MCP 2026-07-28, "Multi round-trip requests"
 */
export type RequestStates = ReturnType<typeof createRequestStates>;

const Sealed = z.tuple([z.string(), z.number()]);

/** Seconds within which a person must answer, or start again */
const LIFETIME_SECONDS = 900;

export function createRequestStates(deps: { keys: EncryptionKeys; clock: () => Date }) {
  const nowSeconds = () => Math.floor(deps.clock().getTime() / 1000);
  return {
    seal(owner: StateOwner, state: string): string {
      const content = JSON.stringify([state, nowSeconds() + LIFETIME_SECONDS]);
      return seal(deps.keys, nameOf(owner), content).toString('base64url');
    },
    /** @throws {RpcError} -32602 for a state that was not sealed for this owner, or has expired */
    open(owner: StateOwner, sealed: unknown): string {
      try {
        const bytes = Buffer.from(z.string().parse(sealed), 'base64url');
        const [state, expiresAt] = Sealed.parse(JSON.parse(open(deps.keys, nameOf(owner), bytes).plaintext));
        if (expiresAt > nowSeconds()) return state;
      } catch (err) {
        if (!(err instanceof UnreadableEntry || err instanceof z.ZodError)) throw err;
      }
      throw new RpcError(INVALID_PARAMS, 'Invalid params: requestState is invalid, or has expired');
    },
  };
}

const nameOf = ({ caller, connector, method, name }: StateOwner): string =>
  JSON.stringify(['requestState', caller.organizationId, caller.userId, connector.id, method, name]);
