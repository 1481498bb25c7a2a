import type { Connector } from '../../domain/connector.ts';
import { toolServerUnavailable } from '../../refusals/delegation-problems.ts';

/**
 * Waits for the response of one tool server. A delegation has its own time limits, and continues for the next caller:
 * only this request stops waiting.
 * @throws {Problem} after the time
 */
export async function within<Said>(
  timeoutMs: number,
  saying: Promise<Said>,
  connector: Connector,
): Promise<Said> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(toolServerUnavailable('it did not respond in time', connector)),
      timeoutMs,
    );
  });
  return Promise.race([saying, late]).finally(() => clearTimeout(timer));
}
