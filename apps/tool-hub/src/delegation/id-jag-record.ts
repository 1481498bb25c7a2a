import { hash } from 'node:crypto';
import { type SecureStore, UnreadableEntry } from '@legate/secure-store';
import type { Connector } from '../connectors/connector.ts';

/**
 * Records which tool servers have been reached by ID-JAGs, for as long as the store keeps anything. A server that has once
 * offered them must not be able to choose another method by hiding its metadata.
 *
 * The record belongs to the resource in an organization, not to the connector: deleting the connector and registering the
 * same tool server again does not erase it. Another resource is another tool server.
 */
export interface IdJagRecord {
  /** @throws {Error} when the store cannot be reached */
  write(connector: Connector): Promise<void>;
  /**
   * Returns true when ID-JAGs have worked there since the fallback was last approved.
   * @throws {Error} when the store cannot be reached
   */
  blocksFallback(connector: Connector): Promise<boolean>;
}

/** Ten years, and again at each delegation: a time that no tool server can wait out. */
const TTL_SECONDS = 10 * 365 * 86_400;
/** Written where nobody had approved a fallback; no approval can be spelled like this. */
const NO_APPROVAL = '';

export function createIdJagRecord(deps: { store: Pick<SecureStore, 'getMany' | 'set'> }): IdJagRecord {
  const { store } = deps;
  return {
    // The approval that was in force is kept with it: the next one is another, whatever the clocks say.
    write: (connector) => store.set(keyOf(connector), connector.fallbackApproval ?? NO_APPROVAL, TTL_SECONDS),
    async blocksFallback(connector) {
      const { fallbackApproval, hasUsedIdJag } = connector;
      if (hasUsedIdJag) return true;
      const [used] = await store.getMany([keyOf(connector)]);
      if (used === undefined) return false;
      if (fallbackApproval === undefined) return true;
      // One that cannot be read says only that there was one: it is older than any approval.
      return !(used instanceof UnreadableEntry) && used === fallbackApproval;
    },
  };
}

/** @throws {Error} for an organization with a colon in its id */
function keyOf({ organizationId, resource }: Connector): string {
  if (organizationId.includes(':')) throw new Error('an id in a key has a colon');
  return `id-jag:${organizationId}:${hash('sha256', resource, 'base64url')}`;
}
