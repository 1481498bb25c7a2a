import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { misspeltSettings } from './misspelt.ts';
import { type ProductionRules, productionFaults } from './production.ts';

/** The configuration cannot be used. `faults` names every variable at fault, and never a value: it may be a secret. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  constructor(readonly faults: readonly string[]) {
    super(`configuration: ${faults.length} fault(s)\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  }
}

type Settings<Schema extends z.ZodObject> = z.output<Schema>;

/**
 * Reads the environment of a process, once, at its start. `NAME_FILE` gives the content of a file as `NAME`, and an
 * empty variable counts as not set. Collects all faults, so that an operator sees every one at the first start.
 */
export function readEnvironment<Schema extends z.ZodObject>(schema: Schema, env: NodeJS.ProcessEnv) {
  type Name = keyof Settings<Schema> & string;
  const names = Object.keys(schema.shape);
  const { values, faults, unreadable } = withSecretFiles(env, names);
  const parsed = schema.safeParse(values);
  const issues = (parsed.error?.issues ?? []).filter(({ path }) => !unreadable.has(String(path[0])));
  for (const { path, message } of issues) {
    const isMissing = path.length === 1 && values[String(path[0])] === undefined;
    faults.push(`${path.join('.') || 'configuration'}: ${isMissing ? 'required' : message}`);
  }
  const atFault = new Set([...unreadable, ...issues.map(({ path }) => String(path[0]))]);
  for (const { name, meant } of misspeltSettings(env, names)) {
    const text = `${name} is set, which is no setting; is ${meant} meant?`;
    // A similar name may belong to another program, so it does not prevent the start by itself.
    if (atFault.has(meant)) faults.push(`${meant}: ${text}`);
    else process.emitWarning(text, { code: 'LEGATE_UNKNOWN_SETTING' });
  }

  const usable: Record<string, unknown> = parsed.success ? parsed.data : {};
  if (!parsed.success) {
    for (const name of names) {
      const field = schema.shape[name];
      const one = field && z.safeParse(field, values[name]);
      if (one?.success && !atFault.has(name)) usable[name] = one.data;
    }
  }

  return {
    /** Returns true if a variable is set, valid or not. */
    isSet: (name: Name): boolean => values[name] !== undefined || unreadable.has(name),
    /**
     * Derives a value from several settings, or validates their combination. Skipped if one of them is invalid, which is
     * reported anyway.
     * @returns the derived value, for use after `complete`
     * @throws {Error} what `derive` throws, except a ConfigError: its faults are collected
     */
    derive<Needed extends Name, Derived>(
      needed: readonly Needed[],
      derive: (settings: Pick<Settings<Schema>, Needed>) => Derived,
    ): () => Derived {
      if (needed.some((name) => atFault.has(name))) return notUsable;
      try {
        // Each of these settings is valid by its own schema.
        const derived = derive(usable as Settings<Schema>);
        return () => derived;
      } catch (err) {
        if (!(err instanceof ConfigError)) throw err;
        faults.push(...err.faults);
        return notUsable;
      }
    },
    /** Adds a fault that does not lie in a single setting. */
    fault: (text: string): void => void faults.push(text),
    /** Runs a check written for zod's `superRefine`, and adds its faults; zod itself runs it only if no setting is invalid. */
    refine<Needed extends Name>(
      needed: readonly Needed[],
      check: (
        settings: Pick<Settings<Schema>, Needed>,
        context: { addIssue(issue: { path: string[]; message: string }): void },
      ) => void,
    ): void {
      if (needed.some((name) => atFault.has(name))) return;
      const addIssue = (issue: { path: string[]; message: string }) =>
        void faults.push(`${issue.path.join('.')}: ${issue.message}`);
      check(usable as Settings<Schema>, { addIssue });
    },
    /** Does nothing where NODE_ENV is not `production`. */
    refuseInProduction(rules: ProductionRules<Name>): void {
      if (usable.NODE_ENV !== 'production') return;
      faults.push(...productionFaults(schema, { texts: values, atFault }, rules));
    },
    /** @throws {ConfigError} with all faults at once */
    complete(): Readonly<Settings<Schema>> {
      if (!parsed.success || faults.length > 0) throw new ConfigError([...new Set(faults)]);
      return parsed.data;
    },
  };
}

/**
 * Reads an environment whose settings do not depend on one another.
 * @throws {ConfigError} with all faults at once
 */
export const parseEnvironment = <Schema extends z.ZodObject>(
  schema: Schema,
  env: NodeJS.ProcessEnv,
): Readonly<z.output<Schema>> => readEnvironment(schema, env).complete();

/** Thrown when a value is derived from a faulty one: it adds no fault. */
const notUsable = (): never => {
  throw new ConfigError([]);
};

function withSecretFiles(env: NodeJS.ProcessEnv, names: readonly string[]) {
  const values: Record<string, string> = {};
  const faults: string[] = [];
  const unreadable = new Set<string>();
  for (const name of names) {
    const file = `${name}_FILE`;
    const [value, path] = [env[name], env[file]];
    const refuse = (text: string) => {
      faults.push(text);
      unreadable.add(name);
    };
    if (value && path) refuse(`${name}, ${file}: one of them, and not both`);
    // As a number it would be read as 0.
    else if (value && value.trim() === '') refuse(`${name}: is blank`);
    else if (value) values[name] = value;
    // Someone set it on purpose, overriding the image's `production`: the default would disable its checks.
    else if (name === 'NODE_ENV' && value === '' && !path) refuse('NODE_ENV: is set, and empty');
    else if (path) {
      const content = readText(path);
      if (content === undefined) refuse(`${file}: the file cannot be read`);
      else if (content === '') refuse(`${file}: the file is empty`);
      else values[name] = content;
    }
  }
  return { values, faults, unreadable };
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return undefined; // the fault is reported with the name of the variable
  }
}
