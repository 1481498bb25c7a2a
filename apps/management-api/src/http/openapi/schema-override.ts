import type { SchemaOptions } from '@legate/operations';

/** ISO 8601, UTC, with exactly three fractional digits, as in all our responses */
const MILLISECONDS = String.raw`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$`;

/** Adds to a JSON Schema what zod leaves out, and removes what only zod's validation needs. */
export const tidy: NonNullable<SchemaOptions['override']> = ({ zodSchema, jsonSchema }) => {
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
