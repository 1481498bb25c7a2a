/** Returns the end of an axis that begins at 0: the next of 1, 2, 5, 10, 20, 50 … */
export function niceCeiling(highest: number): number {
  if (highest <= 5) return 5;
  const power = 10 ** Math.floor(Math.log10(highest));
  const step = [1, 2, 5, 10].find((factor) => factor * power >= highest) ?? 10;
  return step * power;
}

/** Where the parts of a stacked bar begin and end, from its foot, in units of the chart's height. */
export function stack(parts: readonly number[], ceiling: number, height: number) {
  let foot = 0;
  return parts.map((part) => {
    const size = (part / ceiling) * height;
    const bar = { y: height - foot - size, height: size };
    foot += size;
    return bar;
  });
}
