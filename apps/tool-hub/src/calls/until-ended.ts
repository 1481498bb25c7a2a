import { Problem } from '@legate/service';
import type { CallObserver } from '../domain/call-step.ts';
import type { Caller } from '../domain/caller.ts';
import type { Presence } from '../domain/presence.ts';
import { accessRevoked, sessionEndedMeanwhile } from '../refusals/sign-in-problems.ts';
import type { EndedBy, Endings, RunningAt } from '../sign-in/endings.ts';

/**
 * Runs a caller's work, and cancels it when their session or access ends, or the connector of the call is revoked.
 * @throws {Problem} in that case, whatever became of the work: its result must not be delivered
 */
export async function untilEnded<Result>(
  watch: Endings['watch'],
  waiting: {
    readonly caller: Caller;
    readonly presence: Presence;
    /** Resolves when the request has been counted, while the work runs. If both fail, this refusal is the one that is thrown. */
    readonly counted?: Promise<void> | undefined;
    readonly observer?: CallObserver | undefined;
    readonly at: RunningAt;
  },
  work: () => Promise<Result>,
): Promise<Result> {
  const { caller, presence, counted, observer, at } = waiting;
  const unwatch = watch(caller, (why) => presence.cut(endedMeanwhile(caller, why)), at);
  let result: Result;
  try {
    try {
      result = await work();
    } finally {
      await counted;
    }
  } catch (err) {
    // A refusal was not cancelled: it may be what ended the session, and says what the user can do.
    if (isRefusal(err)) throw err;
    throw cut() ?? err;
  } finally {
    unwatch();
  }
  const why = cut();
  if (why) throw why;
  return result;

  function cut(): Problem | undefined {
    if (presence.cutBy) observer?.report({ step: 'cut', why: presence.cutBy });
    return presence.cutBy;
  }
}

const isRefusal = (err: unknown): boolean =>
  err instanceof Problem && (err.status === 401 || err.status === 403);

/** An ID token may still be valid for the next request, which is checked separately. */
const endedMeanwhile = ({ session }: Caller, why: EndedBy): Problem =>
  session && why === 'caller' ? sessionEndedMeanwhile() : accessRevoked(why);
