const KEY = 'connecting';

/** Remembers, in this tab only, the connector to whose tools the reader wants to return; undefined for none. */
export function leaveFor(connectorId: string | undefined): void {
  if (connectorId === undefined) sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, connectorId);
}

/** Returns the connector that the reader left to connect an account, once. */
export function returnFromConnecting(): string | undefined {
  const connectorId = sessionStorage.getItem(KEY) ?? undefined;
  sessionStorage.removeItem(KEY);
  return connectorId;
}
