import { z } from 'zod';

declare module 'zod' {
  /**
   * Metadata of a setting, from `.meta()`. It must come last in the chain: every further step creates a schema without
   * it.
   */
  interface GlobalMeta {
    /** Who sets it, and in which situation: a setting without such an operator becomes a constant (docs/adr/0033) */
    when?: string;
    /** A value as an operator would write it */
    example?: string;
    /** Never shown, not even its default. Set `false` for names that only sound like a secret. */
    secret?: boolean;
  }
}

/** Description of a setting for operators. */
export interface Setting {
  readonly name: string;
  readonly description: string;
  /** Who sets it, and in which situation */
  readonly when: string;
  /** Permitted values, if they are short: `1 to 600`, or a list of words */
  readonly values: string | undefined;
  /** The default as written in an environment; undefined if there is none, and for secrets */
  readonly defaultValue: string | undefined;
  readonly required: boolean;
  readonly example: string | undefined;
  readonly secret: boolean;
}

const sentence = z
  .string()
  .regex(/^\S.*[.!]$/, { error: 'must be a sentence, on one line' })
  .max(400);
const Meta = z.strictObject({
  description: sentence,
  // Each row must be understandable alone, so it names the operator.
  when: sentence.regex(/^(?:Operators|Developers|Everyone)\b/, {
    error: 'must begin with Operators, Developers or Everyone',
  }),
  example: z.string().min(1).optional(),
  secret: z.boolean().optional(),
});
const SOUNDS_SECRET = /SECRET|KEY|PASSWORD|TOKEN/;

/**
 * The settings of an environment, in its order.
 * @throws {Error} for a setting that is not described, or that sounds like a secret and does not say whether it is one
 */
export function describeSettings(environment: z.ZodObject): Setting[] {
  return Object.entries(environment.shape).map(([name, schema]) => {
    if (!(schema instanceof z.ZodType)) throw new Error(`${name}: is no schema`);
    const meta = Meta.safeParse(schema.meta());
    if (!meta.success) throw new Error(`${name}: .meta(), last in its chain: ${z.prettifyError(meta.error)}`);
    const { description, when, example, secret } = meta.data;
    if (SOUNDS_SECRET.test(name) && secret === undefined)
      throw new Error(`${name}: .meta() must say whether it is a secret`);
    return {
      name,
      description,
      when,
      values: valuesOf(schema),
      defaultValue:
        secret || !(schema instanceof z.ZodDefault) ? undefined : written(schema.def.defaultValue),
      required: !schema.safeParse(undefined).success,
      example,
      secret: secret ?? false,
    };
  });
}

/** The names of the settings whose values must not be shown. */
export const secretNames = (environment: z.ZodObject): string[] =>
  Object.entries(environment.shape)
    .filter(([, schema]) => schema instanceof z.ZodType && schema.meta()?.secret)
    .map(([name]) => name);

function valuesOf(schema: z.ZodType): string | undefined {
  const [input, output] = (['input', 'output'] as const).map((io) =>
    z.toJSONSchema(schema, { io, unrepresentable: 'any' }),
  );
  if (output?.type === 'boolean') return 'true, false';
  if (input?.enum) return input.enum.join(', ');
  if (input?.type === 'integer') return `${input.minimum} to ${input.maximum}`;
  return undefined;
}

/** Formats a default: lists with commas; an empty list or text counts as none. */
function written(value: unknown): string | undefined {
  if (value instanceof Map) return value.size === 0 ? undefined : JSON.stringify([...value]);
  return String(value) || undefined; // an array becomes the text that commaSeparated parses
}
