/** The outcome of connecting an account; absent for a reader who was not redirected back from that. */
export interface Return {
  readonly connected?: 'yes' | 'no';
}

/**
 * Reads what the hub adds to the URL (`connected=true`), which the router reads as a boolean, and the
 * console's own form of it.
 */
export function readReturn({ connected }: Readonly<Record<string, unknown>>): Return {
  if (connected === true || connected === 'yes') return { connected: 'yes' };
  return connected === false || connected === 'no' ? { connected: 'no' } : {};
}
