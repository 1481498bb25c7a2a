export function findEngine(chosen: string | undefined): string | undefined;
export function inContainers(
  engine: string,
  urls: Readonly<Record<string, string>>,
  test: () => number,
): Promise<number>;
