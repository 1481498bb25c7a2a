import { Problem } from '@legate/service';
import { sessionStoreUnavailable } from '../refusals/sign-in-problems.ts';
import type { SessionStore } from './session-store.ts';

export function rethrowOutage(cause: unknown): never {
  throw cause instanceof Problem ? cause : sessionStoreUnavailable(cause);
}

/** Wraps the store: its failures are an outage (503), not an error of ours. */
export function namingOutages(store: SessionStore): SessionStore {
  return {
    endsBefore: (...args) => store.endsBefore(...args).catch(rethrowOutage),
    keep: (...args) => store.keep(...args).catch(rethrowOutage),
    open: (...args) => store.open(...args).catch(rethrowOutage),
    find: (...args) => store.find(...args).catch(rethrowOutage),
    look: (...args) => store.look(...args).catch(rethrowOutage),
    replace: (...args) => store.replace(...args).catch(rethrowOutage),
    remove: (...args) => store.remove(...args).catch(rethrowOutage),
    end: (...args) => store.end(...args).catch(rethrowOutage),
    readEntries: (...args) => store.readEntries(...args).catch(rethrowOutage),
    endsOf: (...args) => store.endsOf(...args).catch(rethrowOutage),
    holdRefreshToken: (...args) => store.holdRefreshToken(...args).catch(rethrowOutage),
    releaseRefreshToken: (...args) => store.releaseRefreshToken(...args).catch(rethrowOutage),
  };
}
