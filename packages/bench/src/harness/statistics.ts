/** @throws {RangeError} when there are no values */
export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/**
 * Returns the value below which `fraction` of all values lie, interpolated between its neighbours.
 * @param fraction between 0 and 1
 * @throws {RangeError} when there are no values
 */
export function percentile(values: readonly number[], fraction: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const position = (sorted.length - 1) * fraction;
  const lower = sorted[Math.floor(position)];
  const upper = sorted[Math.ceil(position)];
  if (lower === undefined || upper === undefined) throw new RangeError('no values');
  return lower + (upper - lower) * (position - Math.floor(position));
}
