import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';

export type JsonSchema = { [keyword: string]: unknown };

const COMPONENTS = '#/components/schemas/';

/**
 * Converts the schemas used for validation into those of the document. A schema with an `id` in its `meta` becomes a
 * component of that name.
 */
export interface SchemaTranslator {
  /** The schema of responses. */
  output(schema: z.ZodType): JsonSchema;
  /** The schema of accepted input, before defaults and transformations. @param name makes it a component */
  input(schema: z.ZodType, name?: string): JsonSchema;
  /** The components so far, by name */
  readonly components: Readonly<Record<string, JsonSchema>>;
}

export interface SchemaOptions {
  /** Examples by component name */
  readonly examples?: Readonly<Record<string, unknown>>;
  /** Adjusts the JSON Schema that zod generates. */
  readonly override?: NonNullable<z.core.ToJSONSchemaParams['override']>;
}

export function createSchemaTranslator({ examples = {}, override }: SchemaOptions = {}): SchemaTranslator {
  const components: Record<string, JsonSchema> = {};

  /** @throws {Error} if two schemas have the same name */
  function addComponent(name: string, schema: JsonSchema): JsonSchema {
    const known = components[name];
    const example = examples[name];
    const component = example === undefined ? schema : { ...schema, examples: [example] };
    if (known && !isDeepStrictEqual(known, component)) throw new Error(`two schemas are named ${name}`);
    components[name] = component;
    return { $ref: `${COMPONENTS}${name}` };
  }

  function translate(schema: z.ZodType, io: 'input' | 'output', name?: string): JsonSchema {
    const json = z.toJSONSchema(schema, { io, ...(override && { override }) });
    // Converts through JSON text, to rewrite references everywhere and to drop values that JSON does not have.
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
