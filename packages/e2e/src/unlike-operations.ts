interface Parameter {
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: {
    readonly type?: unknown;
    readonly format?: string;
    readonly enum?: readonly unknown[];
    readonly default?: unknown;
  };
}
interface WithContent {
  readonly required?: boolean;
  readonly content?: object;
}
interface Operation {
  readonly operationId: string;
  readonly tags: readonly [string];
  readonly security?: readonly object[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: WithContent;
  readonly responses: Readonly<Record<string, WithContent>>;
}

/**
 * Returns operations of an OpenAPI document, as few as needed, that together have all that Swagger UI shows in a way of its
 * own: each method, kind of parameter, and media type of bodies and answers. The others repeat the same elements with
 * other words. @returns their ids in Swagger UI
 */
export function unlikeOperations(document: { paths: object }): string[] {
  const resolve = <Value>(value: Value): Value => {
    const { $ref } = value as { $ref?: string };
    const names = $ref?.slice('#/'.length).split('/') ?? [];
    return names.reduce<unknown>(
      (at, name) => (at as Record<string, unknown>)[name],
      $ref ? document : value,
    ) as Value;
  };
  const mediaTypes = (of: string, body: WithContent): string[] =>
    Object.keys(resolve(body).content ?? { none: '' }).map((mediaType) => `${of} ${mediaType}`);
  const kindsOf = (method: string, { security, parameters, requestBody, responses }: Operation): string[] => [
    method,
    security?.length === 0 ? 'public' : 'with a token',
    ...(parameters ?? []).map(resolve).flatMap(({ in: place, required = false, description, schema }) => {
      const { type, format, enum: values, default: usual } = resolve(schema ?? {});
      return [
        JSON.stringify([place, required, type, format, values !== undefined]),
        `${place} ${usual === undefined ? 'without' : 'with'} default`,
        `${place} ${description === undefined ? 'without' : 'with'} description`,
      ];
    }),
    ...(requestBody
      ? mediaTypes(`${resolve(requestBody).required ? 'required' : 'optional'} body`, requestBody)
      : []),
    ...Object.entries(responses).flatMap(([status, response]) => mediaTypes(status, response)),
  ];
  const operations = Object.values(document.paths).flatMap((item: object) =>
    Object.entries(item as Record<string, Operation>)
      .filter(([, { operationId }]) => operationId !== undefined)
      .map(([method, operation]) => ({
        id: `${operation.tags[0]}-${operation.operationId}`,
        kinds: kindsOf(method, operation),
      })),
  );
  const missing = new Set(operations.flatMap(({ kinds }) => kinds));
  const chosen: string[] = [];
  while (missing.size > 0) {
    const [next] = operations
      .map(({ id, kinds }) => ({ id, kinds, gain: new Set(kinds.filter((kind) => missing.has(kind))).size }))
      .sort((one, other) => other.gain - one.gain);
    for (const kind of next?.kinds ?? []) missing.delete(kind);
    chosen.push(next?.id ?? '');
  }
  return chosen;
}
