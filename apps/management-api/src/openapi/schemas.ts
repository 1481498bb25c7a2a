import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { EXAMPLES } from './examples.ts';

export type JsonSchema = { [keyword: string]: unknown };

/**
 * Turns the schemas that validate into those of the document. One that has an `id` in its `meta` becomes a component of
 * that name wherever it is used.
 */
export interface SchemaTranslator {
  /** The schema of responses. */
  output(schema: z.ZodType): JsonSchema;
  /** The schema of accepted input, before defaults and transformations. @param name makes it a component */
  input(schema: z.ZodType, name?: string): JsonSchema;
  /** The components so far, by name */
  readonly components: Readonly<Record<string, JsonSchema>>;
}

const COMPONENTS = '#/components/schemas/';

export function createSchemaTranslator(): SchemaTranslator {
  const components: Record<string, JsonSchema> = {};

  /** @throws {Error} where two schemas have one name */
  function addComponent(name: string, schema: JsonSchema): JsonSchema {
    const known = components[name];
    const example = EXAMPLES[name];
    const component = example === undefined ? schema : { ...schema, examples: [example] };
    if (known && !isDeepStrictEqual(known, component)) throw new Error(`two schemas are named ${name}`);
    components[name] = component;
    return { $ref: `${COMPONENTS}${name}` };
  }

  function translate(schema: z.ZodType, io: 'input' | 'output', name?: string): JsonSchema {
    const json = z.toJSONSchema(schema, { io, override: tidy });
    // Through JSON, which rewrites references everywhere and drops what JSON does not have.
    const text = JSON.stringify(json).replaceAll('"#/$defs/', `"${COMPONENTS}`);
    const { $schema, $defs = {}, id = name, ...root } = JSON.parse(text);
    for (const [of, { id: _, ...component }] of Object.entries<JsonSchema>($defs))
      addComponent(of, component);
    return id === undefined ? root : addComponent(id, root);
  }

  return {
    components,
    output: (schema) => translate(schema, 'output'),
    input: (schema, name) => translate(schema, 'input', name),
  };
}

/** ISO 8601, UTC, with exactly three digits, as all our answers have it */
const MILLISECONDS = String.raw`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$`;

type Override = NonNullable<z.core.ToJSONSchemaParams['override']>;

/** Says what zod's own translation leaves out, and shortens what only its own validation needs. */
const tidy: Override = ({ zodSchema, jsonSchema }) => {
  const { def } = zodSchema._zod;
  if (def.type === 'default' && jsonSchema.default === undefined) {
    jsonSchema.default = JSON.parse(JSON.stringify(def.defaultValue));
  }
  if (jsonSchema.format === 'date-time') {
    if (jsonSchema.pattern?.includes(String.raw`\.\d{3}`)) jsonSchema.pattern = MILLISECONDS;
    else delete jsonSchema.pattern;
  }
  if (jsonSchema.type !== 'string' || jsonSchema.format === 'uuid') delete jsonSchema.pattern;
};
