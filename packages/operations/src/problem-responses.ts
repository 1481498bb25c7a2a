import type { JsonSchema } from './schemas.ts';

const DESCRIPTIONS: Readonly<Record<number, string>> = {
  400: 'The request is invalid.',
  401: 'The request has no valid token.',
  403: 'The caller is not allowed to do this.',
  404: 'Not found, or it belongs to another organization.',
  406: '`Accept` excludes JSON.',
  409: 'The current state does not allow this.',
  410: 'It has expired.',
  412: '`If-Match` names another version than the current one, or `If-None-Match` names the current one.',
  413: 'The body is too large.',
  415: 'The media type is not supported.',
  422: 'The `Idempotency-Key` was used for another request.',
  429: 'Too many requests.',
  500: 'The service failed.',
  502: 'Another service returned an unusable response.',
  503: 'The service, or one that it depends on, is unavailable. Try again.',
};

/** The refusals of all operations. Many operations share the same ones, so each is described once. */
export interface ProblemResponses {
  readonly components: Readonly<Record<string, JsonSchema>>;
  /**
   * @param problems codes by status
   * @param headersOf returns the `headers` of a response
   * @param hasPages true if browsers get an HTML page
   * @returns `responses` of an operation, by status
   */
  refer(
    problems: ReadonlyMap<number, readonly string[]>,
    headersOf: (status: number) => JsonSchema,
    hasPages?: boolean,
  ): Record<string, JsonSchema>;
}

export function createProblemResponses(): ProblemResponses {
  const names = new Map<string, string>();
  const components: Record<string, JsonSchema> = {};

  function share(status: number, response: JsonSchema): JsonSchema {
    const text = JSON.stringify(response);
    const ofStatus = Object.keys(components).filter((name) => name.startsWith(`Problem${status}`)).length;
    const name = names.get(text) ?? `Problem${status}${ofStatus === 0 ? '' : `-${ofStatus + 1}`}`;
    names.set(text, name);
    components[name] = response;
    return { $ref: `#/components/responses/${name}` };
  }

  return {
    components,
    refer: (problems, headersOf, hasPages = false) =>
      Object.fromEntries(
        [...problems].map(([status, codes]) => [
          status,
          share(status, {
            description: `${DESCRIPTIONS[status] ?? 'Refused.'} ${codes.map((code) => `\`${code}\``).join(', ')}`,
            ...headersOf(status),
            content: {
              'application/problem+json': { schema: problemWith(status, codes) },
              ...(hasPages && { 'text/html': { schema: { type: 'string' } } }),
            },
          }),
        ]),
      ),
  };
}

const problemWith = (status: number, codes: readonly string[]): JsonSchema => ({
  allOf: [
    { $ref: '#/components/schemas/Problem' },
    { properties: { status: { const: status }, code: { enum: codes } } },
  ],
});
