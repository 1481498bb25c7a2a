import { orUnavailable } from '@legate/authorization-server';
import type { Documents, OpenDocuments } from '../directory/documents.ts';

/** Wraps the documents: each failure to read or write them becomes a `StoreUnavailable`. */
export function namingDocumentOutages(open: OpenDocuments): OpenDocuments {
  return <T>(...kind: Parameters<typeof open<T>>): Documents<T> => {
    const documents = open<T>(...kind);
    return {
      find: (id) => orUnavailable(documents.find(id)),
      list: () => orUnavailable(documents.list()),
      add: (id, document) => orUnavailable(documents.add(id, document)),
      put: (id, document) => orUnavailable(documents.put(id, document)),
      remove: (id) => orUnavailable(documents.remove(id)),
    };
  };
}
