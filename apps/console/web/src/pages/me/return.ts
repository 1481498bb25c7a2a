/** The outcome of connecting an account; absent for a reader who does not return from that. */
export interface Return {
  readonly connected?: 'yes' | 'no';
}

/** Reads what the hub adds to the address (`connected=true`), which the router reads as a boolean; and our own form of it. */
export function readReturn({ connected }: Readonly<Record<string, unknown>>): Return {
  if (connected === true || connected === 'yes') return { connected: 'yes' };
  return connected === false || connected === 'no' ? { connected: 'no' } : {};
}
