import type { Caller } from '../../domain/caller.ts';
import type { AgentMessage } from './agent-request.ts';
import { keyOfId, type RequestId, readId } from './request-id.ts';

/**
 * Running requests of older revisions in this process, for `notifications/cancelled`, which arrives as a separate
 * request. Nothing else is stored about an agent.
 */
export type InFlight = ReturnType<typeof createInFlight>;

export interface FlightOwner {
  readonly caller: Caller;
  /** Distinguishes clients of one user, whose request ids may be equal. It does not authenticate. */
  readonly sessionId: string | undefined;
}

export function createInFlight() {
  const flights = new Map<string, Set<() => void>>();
  const keyOf = ({ caller, sessionId }: FlightOwner, id: RequestId): string =>
    JSON.stringify([caller.organizationId, caller.userId, sessionId ?? null, keyOfId(id)]);

  return {
    /** @returns a function to call when the request has ended */
    enter(owner: FlightOwner, id: RequestId, cancel: () => void): () => void {
      const key = keyOf(owner, id);
      const same = flights.get(key) ?? new Set();
      flights.set(key, same.add(cancel));
      return () => {
        same.delete(cancel);
        if (same.size === 0) flights.delete(key);
      };
    },
    cancel(
      owner: FlightOwner,
      { method, params, written }: Extract<AgentMessage, { kind: 'notification' }>,
    ): void {
      const id = readId(params.requestId, written.get('requestId'));
      if (method !== 'notifications/cancelled' || id === undefined) return;
      const [cancel, ...others] = flights.get(keyOf(owner, id)) ?? [];
      // Clients without a session use the same ids, so it is ambiguous which request is meant.
      if (others.length === 0) cancel?.();
    },
  };
}
