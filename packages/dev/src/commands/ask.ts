import { type Exchange, exchange, member } from '../demo/http.ts';
import { IDP_ADMIN_KEY } from '../scene/scene.ts';

export const AS_IDP_ADMIN = { Authorization: `Bearer ${IDP_ADMIN_KEY}` };

/** Sends a request. @throws {Error} with the address and the hint if nothing responds there */
export const ask = (hint: string, ...[method, url, ...rest]: Parameters<typeof exchange>) =>
  exchange(method, url, ...rest).catch((cause: unknown) => {
    const { name, cause: reason } = Object(cause);
    throw new Error(`${url} cannot be reached (${Object(reason).code ?? name}). ${hint}`, { cause });
  });

/** Sends a request to a service of the stack. @throws {Error} if it is not running */
export const askStack = (...request: Parameters<typeof exchange>) =>
  ask(
    'Is the stack running (npm start)? If it uses other ports, set MOCK_IDP_PORT, MANAGEMENT_API_PORT and TOOL_HUB_PORT here, too.',
    ...request,
  );

/** Returns the reason that a service gives for a refusal (RFC 9457), with the faults of single members. */
export function reasonOf({ url, status, answer }: Exchange): string {
  const detail = member(answer, 'detail') ?? member(answer, 'title');
  if (typeof detail !== 'string') return `${url} responds with status ${status}.`;
  const errors = member(answer, 'errors');
  const faults = (Array.isArray(errors) ? errors : []).map(
    (one) => `${member(one, 'pointer') ?? ''}: ${member(one, 'detail') ?? ''}`,
  );
  return [detail, ...faults].join(' ');
}
