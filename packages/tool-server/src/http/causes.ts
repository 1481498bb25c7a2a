const MAX_LENGTH = 5;

/** Returns an error, its cause, the cause of that, and so on: `fetch` puts the code of a failed connection there. */
export function causesOf(err: unknown): unknown[] {
  const chain: unknown[] = [];
  for (let link = err; link !== undefined && chain.length < MAX_LENGTH; ) {
    chain.push(link);
    link = link instanceof Error ? link.cause : undefined;
  }
  return chain;
}

/** Returns the codes of an error and of its causes, such as ECONNREFUSED. */
export const codesOf = (err: unknown): string[] =>
  causesOf(err).flatMap((link) =>
    link instanceof Error && 'code' in link && typeof link.code === 'string' ? [link.code] : [],
  );

/** Returns the message of an error, or those of the errors that it contains, on one line for the log. */
export function messageOf(err: unknown): string {
  if (err instanceof AggregateError) return err.errors.map(messageOf).join('; ');
  return err instanceof Error ? err.message.replace(/\s+/g, ' ') : 'a value that is no Error was thrown';
}
