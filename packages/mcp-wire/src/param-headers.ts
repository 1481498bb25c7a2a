import { isObject } from './json-rpc.ts';

/** An argument that a tool requires to be repeated in the header `Mcp-Param-{name}`, for proxies that do not read bodies. */
export interface ParamHeader {
  readonly name: string;
  /** Names of `properties`, from the root of the arguments */
  readonly path: readonly string[];
}

const ANNOTATION = 'x-mcp-header';
/** RFC 9110 §5.6.2 */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,128}$/;
const TYPES: readonly unknown[] = ['string', 'integer', 'boolean'];
/** Keywords that contain schemas by name; directly below them `x-mcp-header` is a name, not an annotation. */
const BY_NAME = ['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions'];
/** Keywords that contain data, not schemas. */
const DATA = ['const', 'default', 'enum', 'examples'];

/**
 * Reads the annotations of a tool's input schema.
 * @returns undefined when one of them breaks a rule: such a tool must not be offered
 * @see MCP 2026-07-28, Streamable HTTP, "Custom headers from tool parameters"
 */
export function readParamHeaders(inputSchema: unknown): readonly ParamHeader[] | undefined {
  const found: ParamHeader[] = [];
  const names = new Set<string>();

  /** @param path undefined if the schema is not reached through `properties` alone */
  function visit(schema: unknown, path: readonly string[] | undefined): boolean {
    if (Array.isArray(schema)) return schema.every((item) => visit(item, undefined));
    if (!isObject(schema)) return true;
    if (Object.hasOwn(schema, ANNOTATION)) {
      const name = schema[ANNOTATION];
      if (!path?.length || typeof name !== 'string' || !TOKEN.test(name)) return false;
      if (!TYPES.includes(schema.type) || names.has(name.toLowerCase())) return false;
      names.add(name.toLowerCase());
      found.push({ name, path });
    }
    return Object.entries(schema).every(([key, value]) => {
      if (DATA.includes(key)) return true;
      if (!BY_NAME.includes(key) || !isObject(value)) return visit(value, undefined);
      return Object.entries(value).every(([name, child]) =>
        visit(child, key === 'properties' && path ? [...path, name] : undefined),
      );
    });
  }

  return visit(inputSchema, []) ? found : undefined;
}

/** Returns names, in lower case, and unencoded values. An argument that is absent or null is left out. */
export function paramValuesOf(
  declared: readonly ParamHeader[],
  args: Readonly<Record<string, unknown>>,
): readonly (readonly [header: string, value: string])[] {
  return declared.flatMap(({ name, path }) => {
    let value: unknown = args;
    for (const key of path) value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
    const isSent = ['string', 'boolean'].includes(typeof value) || Number.isSafeInteger(value);
    return isSent ? [[`mcp-param-${name.toLowerCase()}`, String(value)] as const] : [];
  });
}
