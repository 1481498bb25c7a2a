import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import { ConfigError } from './reading.ts';

/**
 * Reads a JSON configuration file. `${NAME}` and `${NAME:-default}` inside its strings are replaced by values of the
 * environment, so that one file serves on a laptop and in containers.
 * @throws {ConfigError} with every fault and its place in the file, and no value
 */
export function readJsonFile<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
  env: NodeJS.ProcessEnv,
): z.output<Schema> {
  let document: unknown;
  try {
    document = JSON.parse(readFileSync(path, 'utf8'));
  } catch (err) {
    const detail = err instanceof SyntaxError ? 'is not JSON' : 'cannot be read';
    throw new ConfigError([`${path}: ${detail}`]);
  }
  const faults: string[] = [];
  const filled = fillVariables(document, env, faults);
  const parsed = schema.safeParse(filled);
  if (parsed.success && faults.length === 0) return parsed.data;
  const issues = parsed.error?.issues ?? [];
  throw new ConfigError([
    ...faults.map((name) => `${path}: \${${name}} is not set`),
    ...issues.map((issue) => `${path}: ${issue.path.join('.') || 'document'}: ${issue.message}`),
  ]);
}

function fillVariables(value: unknown, env: NodeJS.ProcessEnv, faults: string[]): unknown {
  if (typeof value === 'string') {
    return value.replace(
      /\$\{([A-Z][A-Z0-9_]*)(?::-([^}]*))?\}/g,
      (_match, name: string, fallback?: string) => {
        const filled = env[name] || fallback;
        if (filled === undefined) faults.push(name);
        return filled ?? '';
      },
    );
  }
  if (Array.isArray(value)) return value.map((item) => fillVariables(item, env, faults));
  if (value && typeof value === 'object') {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, fillVariables(item, env, faults)]),
    );
  }
  return value;
}
