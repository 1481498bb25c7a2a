import type { FieldError } from '../api/problem.ts';
import { keysOf, pointerOf } from './pointer.ts';

/** Errors of fields, by JSON Pointer, and those that belong to no field. */
export interface FormErrors {
  readonly fields: ReadonlyMap<string, string>;
  readonly rest: readonly string[];
}

export const NO_ERRORS: FormErrors = { fields: new Map(), rest: [] };

/**
 * Places each error of a problem document at the field that its pointer names: `/tools/2` belongs to the
 * field `tools` if the form has no field for the third tool. Errors that belong to no field are kept
 * separately, so that none is lost.
 */
export function placeErrors(errors: readonly FieldError[], fields: readonly string[]): FormErrors {
  const placed = new Map<string, string>();
  const rest: string[] = [];
  for (const { pointer, detail } of errors) {
    const field = pointer === undefined ? undefined : nearestField(pointer, fields);
    if (field === undefined) rest.push(pointer ? `${pointer}: ${detail}` : detail);
    else if (!placed.has(field)) placed.set(field, detail);
  }
  return { fields: placed, rest };
}

/** Returns the errors without that of one field, whose value has changed since. */
export function withoutError(errors: FormErrors, field: string): FormErrors {
  if (!errors.fields.has(field)) return errors;
  const others = [...errors.fields].filter(([name]) => name !== field);
  return { ...errors, fields: new Map(others) };
}

function nearestField(pointer: string, fields: readonly string[]): string | undefined {
  const keys = keysOf(pointer);
  for (let length = keys.length; length > 0; length--) {
    const candidate = pointerOf(keys.slice(0, length));
    if (fields.includes(candidate)) return candidate;
  }
  return undefined;
}
