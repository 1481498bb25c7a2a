import type { EndRun, SlotClaim, Slots, WaitingRoom } from '@legate/rate-limit';
import type { RequestHandler, Response } from 'express';
import { problem } from '../../domain/problem-codes.ts';
import { callerOf } from '../authentication/caller-of-request.ts';
import { holderOf } from './plan-count.ts';
import type { IsSecurity } from './security-operations.ts';

/** Limit for requests that take rights away, which do not wait for other requests */
const MAX_SECURITY = 50;

/**
 * Holds a place of the caller's organization until the response is sent or its connection is closed, so that no
 * organization can use all database connections and memory of the process. A request without a place waits for its
 * turn, but one that may take rights away passes.
 * @throws {Problem} 429 `concurrency_exceeded`; 503 `service_unavailable` if no request of the organization was served
 * while this one waited
 */
export function enterInTurn(deps: {
  room: WaitingRoom;
  /** Extra places for requests that may take rights away */
  slots: Slots;
  isSecurity: IsSecurity;
  onRefused: () => void;
}): RequestHandler {
  const { room, slots, isSecurity, onRefused } = deps;

  /** @returns false if the client has disconnected, so that there is nothing to do */
  async function waitForTurn(res: Response, group: string, principal: string): Promise<boolean> {
    if (res.destroyed) return false; // disconnected during counting: `close` is not emitted again
    const turn = room.wait({ group, principal });
    if (turn) {
      const leave = () => turn.leave();
      res.once('close', leave);
      const end = await turn.begun;
      res.off('close', leave);
      if (end) {
        holdUntilClosed(res, end);
        return true;
      }
    }
    if (res.destroyed) return false;
    if (turn?.isStuck()) throw unavailable();
    onRefused();
    throw problem('concurrency_exceeded', {
      detail: 'Other requests of your organization are taking too long.',
      headers: { 'Retry-After': '1' },
      extensions: { retry_after: 1 },
    });
  }

  return (req, res, next) => {
    const caller = callerOf(res);
    const group = holderOf(caller);
    const end = room.enter({ group, principal: caller.subject });
    if (end) {
      holdUntilClosed(res, end);
      return next();
    }
    if (isSecurity(req) && holdSlot(res, slots, { key: group, max: MAX_SECURITY })) return next();
    return waitForTurn(res, group, caller.subject).then((isTurn) => {
      if (isTurn) next();
    });
  };
}

const unavailable = () =>
  problem('service_unavailable', {
    detail: 'The request waited too long for other requests of your organization.',
    headers: { 'Retry-After': '5' },
  });

/**
 * Holds a slot until the response is sent or its connection is closed.
 * @returns false if the holder already has the maximum number of slots
 */
export function holdSlot(res: Response, slots: Slots, claim: SlotClaim): boolean {
  const release = slots.take([claim]);
  if (release) holdUntilClosed(res, release);
  return release !== undefined;
}

function holdUntilClosed(res: Response, release: EndRun): void {
  const end = () => release({ failed: !res.headersSent || res.statusCode >= 500 });
  // The client may have disconnected while the request was counted: `close` is not emitted again.
  if (res.destroyed) end();
  else res.once('close', end);
}
