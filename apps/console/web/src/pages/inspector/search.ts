export interface InspectorSearch {
  readonly connector?: string | undefined;
  /** The audit event from which the reader came */
  readonly event?: string | undefined;
}

const ID = /^[A-Za-z0-9_.-]{1,128}$/;

/** Reads the URL; invalid ids are omitted. */
export function readInspectorSearch({
  connector,
  event,
}: Readonly<Record<string, unknown>>): InspectorSearch {
  return {
    ...(typeof connector === 'string' && ID.test(connector) && { connector }),
    ...(typeof event === 'string' && ID.test(event) && { event }),
  };
}
