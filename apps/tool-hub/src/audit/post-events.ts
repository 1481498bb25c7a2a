import { auditEventsUrl, Intake } from '@legate/management-contract';

export type Posted =
  | {
      readonly kind: 'taken';
      readonly refused: readonly { readonly index: number; readonly faults: string }[];
    }
  /** The whole batch is refused; a smaller one may be accepted. */
  | { readonly kind: 'refused'; readonly status: number };

/** @throws {Error} if there is no response, or it does not contain the result for the events */
export type PostEvents = (events: readonly string[]) => Promise<Posted>;

/**
 * Sends `POST /internal/v1/audit-events` with the hub's own identity.
 * @param deps.fetchAsHub sends the hub's workload token, and limits time and size
 */
export function createPostEvents(deps: {
  managementApiUrl: string;
  fetchAsHub: (
    url: string,
    init: { method: string; headers: Record<string, string>; body: string },
  ) => Promise<Response>;
}): PostEvents {
  const url = auditEventsUrl(deps.managementApiUrl);
  return async (events) => {
    const answer = await deps.fetchAsHub(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      body: `{"events":[${events.join(',')}]}`,
    });
    const body: unknown = await answer.json().catch(() => undefined);
    if (answer.status === 400 || answer.status === 413) return { kind: 'refused', status: answer.status };
    const parsed = Intake.safeParse(body);
    // Any other response may be temporary: an outage, a limit, or a scope that an operator has yet to grant.
    if (answer.status !== 200 || !parsed.success)
      throw new Error(`management-api responded with status ${answer.status}`);
    const refused = parsed.data.refused.map(({ index, errors }) => ({
      index,
      faults: errors.map(({ pointer, code }) => `${pointer ?? ''} ${code}`).join(', '),
    }));
    return { kind: 'taken', refused };
  };
}
