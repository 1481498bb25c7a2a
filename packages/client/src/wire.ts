export type Json = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const stringOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

export const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' ? value : undefined;

export const objectsOf = (value: unknown): readonly Json[] =>
  Array.isArray(value) ? value.filter(isObject) : [];

/** Returns undefined for a body that is not JSON, such as the page of a proxy. */
export async function readJson(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
