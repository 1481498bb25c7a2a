import { hash } from 'node:crypto';
import { type SecureStore, UnreadableEntry } from '@legate/secure-store';
import type { Connector } from './domain/connector.ts';

/**
 * Records at which tool servers a method that acts as the user has worked, for as long as the store keeps data. A
 * server that has once supported it must not be able to choose another method by hiding its metadata.
 *
 * The record belongs to the resource in an organization, not to the connector: deleting the connector and registering
 * the same tool server again does not delete it. A different resource is a different tool server.
 */
export type UseRecord = ReturnType<UseRecords>;

/** Returns the record of a method. */
export type UseRecords = ReturnType<typeof createUseRecords>;

/** Ten years, renewed at each delegation: too long for any tool server to wait. */
const TTL_SECONDS = 10 * 365 * 86_400;
/** Stored if nobody had approved a fallback; never equal to an approval. */
const NO_APPROVAL = '';

export const createUseRecords =
  ({ store }: { store: Pick<SecureStore, 'getMany' | 'set'> }) =>
  (method: string) => {
    const keyOf = ({ organizationId, resource }: Connector): string =>
      `${method}:${organizationId}:${hash('sha256', resource, 'base64url')}`;
    return {
      /**
       * Records that the tool server offers the method now. The current approval is stored with it, so a later approval
       * differs from it, whatever the clocks are.
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
        // An unreadable record only proves that there was one, so it counts as older than any approval.
        return !(used instanceof UnreadableEntry) && used === fallbackApproval;
      },
    };
  };
