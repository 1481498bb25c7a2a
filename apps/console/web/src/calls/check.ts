import { Validator } from '@cfworker/json-schema';
import { pointerOf } from '../forms/pointer.ts';
import { t } from '../text/en.ts';
import { cut, nameText, revealed, SHOWN } from '../untrusted/reveal.ts';
import { checkable } from './checkable.ts';
import type { Field, Json } from './fields.ts';

/** Messages by JSON Pointer; the empty pointer stands for the whole value. */
export type ArgumentErrors = ReadonlyMap<string, string>;

/** Keywords whose errors only report that a nested value is wrong; that value has an error of its own. */
const SUMMARIES = new Set(['properties', 'items', '$ref', 'additionalProperties']);

/** Checks arguments before they are sent. If the schema itself cannot be used, only the tool server checks them. */
export function checkArguments(
  schema: unknown,
  field: Field,
  value: Json | undefined,
  missing: string,
): ArgumentErrors {
  const errors = new Map(missingMembers(field, value, []).map((pointer) => [pointer, missing]));
  if (errors.size > 0 || typeof schema !== 'object' || schema === null) return errors;
  for (const { keyword, instanceLocation, error } of violations(schema, value))
    if (!SUMMARIES.has(keyword) && !errors.has(pointerFrom(instanceLocation)))
      errors.set(pointerFrom(instanceLocation), revealed(cut(error, SHOWN).shown)); // the error may quote the schema
  return errors;
}

function violations(schema: object, value: Json | undefined) {
  const bounded = checkable(schema);
  if (!bounded) return [];
  try {
    return new Validator(bounded, '2020-12', false).validate(value ?? {}).errors;
  } catch {
    return []; // not a valid schema
  }
}

/** Returns the errors of a value and of its parts, for a control that shows the whole value. */
export function errorsWithin(errors: ArgumentErrors, pointer: string): string | undefined {
  const within = [...errors].filter(([at]) => at === pointer || at.startsWith(`${pointer}/`));
  const lines = within.map(([at, words]) => {
    const part = at.slice(pointer.length); // names come from the tool server
    return part === '' ? words : `${t.untrusted.quoted(nameText(part))}: ${words}`;
  });
  return lines.length === 0 ? undefined : lines.join(' ');
}

/** Returns the errors of an object itself, and of members for which the form has no control. */
export function errorsOfObject(
  errors: ArgumentErrors,
  pointer: string,
  members: readonly { readonly name: string }[],
): string | undefined {
  const controls = members.map(({ name }) => `${pointer}${pointerOf([name])}`);
  const own = [...errors].filter(
    ([at]) => !controls.some((each) => at === each || at.startsWith(`${each}/`)),
  );
  return errorsWithin(new Map(own), pointer);
}

const pointerFrom = (location: string): string => location.replace(/^#/, '');

function missingMembers(field: Field, value: Json | undefined, path: readonly string[]): readonly string[] {
  if (field.kind !== 'object' || typeof value !== 'object' || value === null) return [];
  const object = value as Readonly<Record<string, Json | undefined>>;
  return field.members.flatMap(({ name, required, field: member }) => {
    const at = [...path, name];
    const own = Object.hasOwn(object, name) ? object[name] : undefined;
    if (own === undefined) return required && member.kind !== 'null' ? [pointerOf(at)] : [];
    return missingMembers(member, own, at);
  });
}
