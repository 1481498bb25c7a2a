import { setTimeout as delay } from 'node:timers/promises';
import { CONNECTOR } from '../scene/scene.ts';
import type { ServiceUrls } from '../stack/services.ts';
import { type Exchange, exchange, text } from './http.ts';

/** Tools that the demo's agent may use */
export const BOUND_TOOLS = ['whoami', 'list_notes'] as const;

/** Time for the hub to learn of a new agent: it is notified a moment after the creation. */
const TRIES = 50;
const PAUSE_MS = 100;

/** Acts as an administrator who creates an agent, and as the agent, which has only the handle of its session. */
export interface BoundAgent {
  readonly id: string;
  readonly opened: Exchange;
  call(tool: string, headers?: Record<string, string>): Promise<Exchange>;
  /** Lets the administrator delete the agent. */
  remove(): Promise<Exchange>;
  /** Deletes the agent permanently, so that demos leave nothing behind. */
  purge(): Promise<Exchange>;
}

/**
 * @param administrator access token for the management API
 * @param idToken of the user for whom the agent works; the agent never has it
 * @throws {Error} if a step does not get the expected response
 */
export async function createBoundAgent(
  urls: ServiceUrls,
  { administrator, idToken }: { administrator: string; idToken: string },
): Promise<BoundAgent> {
  const asAdministrator = { Authorization: `Bearer ${administrator}` };
  const manage = (method: string, path: string, json?: object) =>
    exchange(method, `${urls['management-api']}/api/v1${path}`, json ? { json } : {}, asAdministrator);
  const made = await manage('POST', '/agents', { name: 'Note reader', status: 'active' });
  const id = text(made.answer, 'id');
  await manage('PUT', `/agents/${id}/connectors/${CONNECTOR}`, { tools: BOUND_TOOLS });

  const hub = `${urls['tool-hub']}/api/v1`;
  const open = () =>
    exchange('POST', `${hub}/sessions`, { json: { agent_id: id } }, { Authorization: `Bearer ${idToken}` });
  let opened = await open();
  for (let tries = 1; opened.status === 403 && tries < TRIES; tries += 1) {
    await delay(PAUSE_MS);
    opened = await open();
  }
  const handle = text(opened.answer, 'session');
  return {
    id,
    opened,
    call: (tool, headers = {}) =>
      exchange(
        'POST',
        `${hub}/connectors/${CONNECTOR}/tools/${tool}/call`,
        { json: { arguments: tool === 'create_note' ? { text: 'not for this agent' } : {} } },
        { Authorization: `Bearer ${handle}`, ...headers },
      ),
    remove: () => manage('DELETE', `/agents/${id}`),
    purge: () => manage('POST', `/agents/${id}/purge`),
  };
}
