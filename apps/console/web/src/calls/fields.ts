import { isSchema, referred, type Schema } from './schema.ts';

/** A JSON value; `undefined` is a member that is not sent. */
export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [name: string]: Json | undefined };

interface Words {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
}

/**
 * A field of a form, made from a part of a JSON Schema. A part that no form can show is a `json` field in its
 * place.
 */
export type Field = Words &
  (
    | { readonly kind: 'text'; readonly format?: string | undefined; readonly long: boolean }
    | { readonly kind: 'options'; readonly options: readonly Json[] }
    | { readonly kind: 'number'; readonly integer: boolean }
    | { readonly kind: 'boolean' }
    | { readonly kind: 'null' }
    | { readonly kind: 'list'; readonly item: Field }
    | { readonly kind: 'object'; readonly members: readonly Member[] }
    | { readonly kind: 'choice'; readonly branches: readonly Field[] }
    | { readonly kind: 'json' }
  );

export interface Member {
  readonly name: string;
  readonly required: boolean;
  readonly field: Field;
}

/** Maximum depth of a form; deeper parts are JSON. This also ends a cycle of references. */
const DEEPEST = 4;
const BRANCHES_AT_MOST = 8;
const MEMBERS_AT_MOST = 100;
/**
 * Maximum number of fields of a form: a short schema can refer to one part in many places, and so make many
 * fields.
 */
const FIELDS_AT_MOST = 500;
const LONG_FROM = 200;
/** Keywords that change the meaning of a schema, and that a form cannot show */
const NOT_SHOWN = [
  'allOf',
  'not',
  'if',
  'patternProperties',
  'dependentSchemas',
  'prefixItems',
  '$dynamicRef',
];

/**
 * Returns the form of a tool's `inputSchema`. Never fetches a reference: it is resolved in the schema itself,
 * or becomes a `json` field.
 */
export const fieldsOf = (schema: unknown): Field => fieldOf(schema, { schema, fields: 0 }, 0);

/** The whole schema, and the number of fields made from it so far */
interface Root {
  readonly schema: unknown;
  fields: number;
}

function fieldOf(part: unknown, root: Root, depth: number): Field {
  const schema = resolve(part, root.schema);
  root.fields += 1;
  if (!schema || root.fields > FIELDS_AT_MOST) return { kind: 'json' };
  const words: Words = { title: text(schema.title), description: text(schema.description) };
  return { ...words, ...shapeOf(schema, root, depth) };
}

function shapeOf(schema: Schema, root: Root, depth: number): Field {
  if (NOT_SHOWN.some((name) => name in schema)) return { kind: 'json' };
  if ('const' in schema) return { kind: 'options', options: [schema.const as Json] };
  if (Array.isArray(schema.enum)) return { kind: 'options', options: schema.enum as readonly Json[] };
  const branches = branchesOf(schema);
  if (branches) {
    if (depth >= DEEPEST || branches.length > BRANCHES_AT_MOST || 'properties' in schema)
      return { kind: 'json' };
    return { kind: 'choice', branches: branches.map((branch) => fieldOf(branch, root, depth + 1)) };
  }
  return plainShape(schema, root, depth);
}

function plainShape(schema: Schema, root: Root, depth: number): Field {
  switch (schema.type ?? ('properties' in schema ? 'object' : undefined)) {
    case 'string': {
      const most = schema.maxLength;
      return {
        kind: 'text',
        format: text(schema.format),
        long: typeof most === 'number' && most >= LONG_FROM,
      };
    }
    case 'integer':
    case 'number':
      return { kind: 'number', integer: schema.type === 'integer' };
    case 'boolean':
      return { kind: 'boolean' };
    case 'null':
      return { kind: 'null' };
    case 'array':
      return depth >= DEEPEST
        ? { kind: 'json' }
        : { kind: 'list', item: fieldOf(schema.items, root, depth + 1) };
    case 'object':
      return depth >= DEEPEST ? { kind: 'json' } : objectShape(schema, root, depth);
    default:
      return { kind: 'json' };
  }
}

function objectShape(schema: Schema, root: Root, depth: number): Field {
  const properties = isSchema(schema.properties) ? Object.entries(schema.properties) : [];
  const isOpen = schema.additionalProperties === true || isSchema(schema.additionalProperties);
  // An object that accepts any member, or has more members than a form can hold
  if ((properties.length === 0 && (depth > 0 || isOpen)) || properties.length > MEMBERS_AT_MOST)
    return { kind: 'json' };
  const required = Array.isArray(schema.required) ? schema.required : [];
  return {
    kind: 'object',
    members: properties.map(([name, part]) => ({
      name,
      required: required.includes(name),
      field: fieldOf(part, root, depth + 1),
    })),
  };
}

/** Returns the branches of `anyOf`, of `oneOf`, or of a list of types. */
function branchesOf(schema: Schema): readonly unknown[] | undefined {
  if (Array.isArray(schema.anyOf)) return schema.anyOf;
  if (Array.isArray(schema.oneOf)) return schema.oneOf;
  const type = schema.type;
  if (!Array.isArray(type)) return undefined;
  return type.map((each) => ({ ...schema, type: each, title: String(each) }));
}

/** Follows a reference into `$defs` or `definitions` of the same schema. */
function resolve(part: unknown, root: unknown): Schema | undefined {
  let schema = part;
  for (let step = 0; step <= DEEPEST; step++) {
    if (!isSchema(schema)) return undefined;
    const reference = schema.$ref;
    if (reference === undefined) return schema;
    schema = typeof reference === 'string' ? local(reference, root) : undefined;
  }
  return undefined;
}

/** Resolves a reference only if it leads to a definition: a form follows no others. */
const local = (reference: string, root: unknown): unknown =>
  /^#\/(\$defs|definitions)\/[^/]+$/.test(reference) ? referred(reference, root) : undefined;

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Returns the initial value of a field: only members that are required, and only values without an alternative. */
export function initialOf(field: Field): Json | undefined {
  if (field.kind === 'null') return null;
  if (field.kind === 'options' && field.options.length === 1) return field.options[0];
  if (field.kind === 'list') return [];
  if (field.kind !== 'object') return undefined;
  const members = field.members.filter(({ required }) => required);
  return Object.fromEntries(members.map(({ name, field: member }) => [name, initialOf(member)]));
}

/** Returns the index of the first branch that can show the value; -1 if there is none. */
export const branchOf = (branches: readonly Field[], value: Json | undefined): number =>
  value === undefined ? -1 : branches.findIndex((branch) => canShow(branch, value));

function canShow(field: Field, value: Json): boolean {
  switch (field.kind) {
    case 'text':
      return typeof value === 'string';
    case 'number':
    case 'boolean':
      return typeof value === field.kind;
    case 'null':
      return value === null;
    case 'options':
      return field.options.some((option) => JSON.stringify(option) === JSON.stringify(value));
    case 'list':
      return Array.isArray(value);
    case 'object':
      return isObject(value) && field.members.every((member) => canShowMember(member, value));
    case 'choice':
      return branchOf(field.branches, value) >= 0;
    default:
      return true;
  }
}

/**
 * Accepts a missing member, so that an unfinished object keeps its branch; a member with another value rules the branch
 * out.
 */
function canShowMember({ name, field }: Member, object: JsonObject): boolean {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  return value === undefined || canShow(field, value);
}

type JsonObject = { readonly [name: string]: Json | undefined };
const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns a value without its absent members: they are not sent as `null` or `""`. */
export function present(value: Json | undefined): Json | undefined {
  if (Array.isArray(value)) return value.map((item) => present(item) ?? null);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, present(member)] as const);
  return Object.fromEntries(members.filter(([, member]) => member !== undefined));
}
