import { hash } from 'node:crypto';
import { type SecureStore, UnreadableEntry } from '@legate/secure-store';
import type { Connector } from './domain/connector.ts';

/**
 * Records at which tool servers a method that acts as the user has worked, for as long as the store keeps anything. A
 * server that has once supported it must not be able to choose another method by hiding its metadata.
 *
 * The record belongs to the resource in an organization, not to the connector: deleting the connector and registering
 * the same tool server again does not erase it. A different resource is a different tool server.
 */
export type UseRecord = ReturnType<UseRecords>;

/** Returns the record of a method. */
export type UseRecords = ReturnType<typeof createUseRecords>;

/** Ten years, and again at each delegation: a time that no tool server can wait out. */
const TTL_SECONDS = 10 * 365 * 86_400;
/** Stored if nobody had approved a fallback; not a possible approval. */
const NO_APPROVAL = '';

export const createUseRecords =
  ({ store }: { store: Pick<SecureStore, 'getMany' | 'set'> }) =>
  (method: string) => {
    const keyOf = ({ organizationId, resource }: Connector): string =>
      `${method}:${organizationId}:${hash('sha256', resource, 'base64url')}`;
    return {
      /**
       * The tool server offers the method now. The approval that was in force is kept with it: the next one is another,
       * whatever the clocks say.
       * @throws {Error} when the store cannot be reached
       */
      write: (connector: Connector): Promise<void> =>
        store.set(keyOf(connector), connector.fallbackApproval ?? NO_APPROVAL, TTL_SECONDS),
      /**
       * Returns true when the method has worked there since the fallback was last approved.
       * @throws {Error} when the store cannot be reached
       */
      async blocksFallback(connector: Connector): Promise<boolean> {
        const { fallbackApproval, usedMethods } = connector;
        if (usedMethods?.includes(method)) return true;
        const [used] = await store.getMany([keyOf(connector)]);
        if (used === undefined) return false;
        if (fallbackApproval === undefined) return true;
        // An unreadable record only shows that there was one: it is older than any approval.
        return !(used instanceof UnreadableEntry) && used === fallbackApproval;
      },
    };
  };
