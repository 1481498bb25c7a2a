import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import type { JsonSchema } from './schemas.ts';

/**
 * Returns the metadata of a schema that has all members of a named schema and more. The document then refers to the
 * named schema instead of repeating its members.
 *
 * ```ts
 * const NewApiKey = ApiKey.extend({ key: z.string() }).meta(extensionOf(ApiKey, { id: 'NewApiKey', description: … }));
 * ```
 * @throws {Error} if the extended schema has no name
 */
export function extensionOf(
  base: z.ZodObject,
  meta: { readonly id: string; readonly description: string },
): z.GlobalMeta {
  const name = base.meta()?.id;
  if (name === undefined) throw new Error(`${meta.id} extends a schema without a name`);
  return { ...meta, extends: name };
}

interface ObjectSchema extends JsonSchema {
  /** The name of the schema that it extends: see `extensionOf` */
  readonly extends?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

type Schemas = Readonly<Record<string, ObjectSchema>>;

/**
 * Describes each named schema that extends another one by a reference to that schema and the members that it adds. All
 * schemas forbid additional members, but JSON Schema's `additionalProperties` does not see the members of `allOf`. So
 * for an extended schema, the keyword is added to each reference and not to the schema itself.
 * @returns the schemas, and a function that adds the keyword to references in the rest of the document
 * @throws {Error} if a schema does not have the members of the one that it extends
 */
export function shareMembers(schemas: Schemas) {
  const bases = new Set(Object.values(schemas).flatMap((schema) => schema.extends ?? []));
  const references = new Set([...bases].map(referTo));
  const written = Object.entries(schemas).map(([name, schema]) => {
    const { additionalProperties: _, ...opened } = schema;
    const kept = bases.has(name) ? opened : schema;
    const shared = schema.extends === undefined ? kept : extension(name, kept, schemas[schema.extends]);
    return [name, closeReferences(shared, references)];
  });
  return {
    schemas: Object.fromEntries(written),
    close: (part: JsonSchema): JsonSchema => closeReferences(part, references),
  };
}

const referTo = (name: string): string => `#/components/schemas/${name}`;

function extension(name: string, schema: ObjectSchema, base: ObjectSchema = {}): JsonSchema {
  const {
    extends: of = '',
    type,
    properties = {},
    required = [],
    additionalProperties,
    examples,
    ...rest
  } = schema;
  const isThere = ([member, described]: [string, JsonSchema]): boolean =>
    isDeepStrictEqual(properties[member], described);
  const inherited = base.properties ?? {};
  const alwaysThere = base.required ?? [];
  const hasAll =
    base.type === type &&
    Object.entries(inherited).every(isThere) &&
    alwaysThere.every((member) => required.includes(member));
  if (!hasAll) throw new Error(`${name} does not have the members of ${of}`);
  const needed = required.filter((member) => !alwaysThere.includes(member));
  return {
    ...rest,
    type,
    allOf: [{ $ref: referTo(of) }],
    properties: Object.fromEntries(
      Object.entries(properties).filter(([member]) => !Object.hasOwn(inherited, member)),
    ),
    ...(needed.length > 0 && { required: needed }),
    ...(additionalProperties === false && { unevaluatedProperties: false }),
    ...(examples !== undefined && { examples }),
  };
}

/** Adds to each reference, except those in `allOf`, that no further members are allowed. */
function closeReferences(part: JsonSchema, references: ReadonlySet<string>): JsonSchema {
  const close = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(close);
    return isObject(value) ? closeReferences(value, references) : value;
  };
  const closed = Object.entries(part).map(([key, value]) => [key, key === 'allOf' ? value : close(value)]);
  const isReference = typeof part.$ref === 'string' && references.has(part.$ref);
  return { ...Object.fromEntries(closed), ...(isReference && { unevaluatedProperties: false }) };
}

const isObject = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null;
