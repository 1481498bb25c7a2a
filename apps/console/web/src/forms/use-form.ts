import { type FormEvent, useRef, useState } from 'react';
import { ApiProblem, hasCode } from '../api/problem.ts';
import { t } from '../text/en.ts';
import { nameText } from '../untrusted/reveal.ts';
import { type FormErrors, NO_ERRORS, placeErrors, withoutError } from './form-state.ts';

type Values = Readonly<Record<string, unknown>>;

interface FormOptions<V extends Values> {
  readonly initial: V;
  /** Returns error messages by name of the field; called before the form is sent */
  check?(values: V): Partial<Record<keyof V, string>>;
  send(values: V): Promise<void>;
  /** Names of fields in problem documents, where they differ from those of the form: `{ secret: '/client/secret' }` */
  readonly pointers?: Partial<Record<keyof V, string>>;
  /**
   * The `ETag` of what is edited: the form starts over when it changes, as after a reload. Not for forms with secrets,
   * as what the reader had entered is then shown.
   */
  readonly version?: string | undefined;
}

/** The properties that a field of the design system needs */
export interface FieldBinding<T> {
  readonly name: string;
  readonly value: T;
  readonly error: string | undefined;
  /** What the reader had entered, if somebody else has saved another value meanwhile */
  readonly hint?: string;
  onChange(value: T): void;
}

/**
 * Keeps the values of a form, sends them, and places the errors of the API (`errors[].pointer`) at the
 * fields, where each stays until the value is edited. After a refusal, the focus moves to the first field with
 * an error. `problem` contains the errors that belong to no field. After a reload because of a newer version,
 * the fields show that version, and what the reader had entered.
 */
export function useForm<V extends Values>(options: FormOptions<V>) {
  const [values, setValues] = useState(options.initial);
  const [errors, setErrors] = useState<FormErrors>(NO_ERRORS);
  const [problem, setProblem] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const [version, setVersion] = useState(options.version);
  const [entered, setEntered] = useState<V>();
  if (version !== options.version) {
    setVersion(options.version);
    setEntered(hasCode(problem, 'version_mismatch') ? values : undefined);
    setValues(options.initial);
    setErrors(NO_ERRORS);
    setProblem(undefined);
  }
  const pointer = (name: keyof V) => options.pointers?.[name] ?? `/${String(name)}`;
  const names = Object.keys(options.initial);

  const fail = (found: FormErrors) => {
    setErrors(found);
    const first = names.find((name) => found.fields.has(pointer(name)));
    if (first !== undefined) requestAnimationFrame(() => focusField(form.current, first));
  };

  async function submit(event?: FormEvent) {
    event?.preventDefault();
    if (busy) return;
    const local = Object.entries(options.check?.(values) ?? {}).filter(
      ([, message]) => message !== undefined,
    );
    if (local.length > 0) {
      fail({ fields: new Map(local.map(([name, message]) => [pointer(name), String(message)])), rest: [] });
      return;
    }
    setBusy(true);
    setErrors(NO_ERRORS);
    setProblem(undefined);
    try {
      await options.send(values);
    } catch (error) {
      const found = placeErrors(error instanceof ApiProblem ? error.errors : [], names.map(pointer));
      fail(found);
      if (found.fields.size === 0 || found.rest.length > 0) setProblem(error);
    } finally {
      setBusy(false);
    }
  }

  const field = <K extends keyof V & string>(name: K): FieldBinding<V[K]> => ({
    name,
    value: values[name],
    error: errors.fields.get(pointer(name)),
    ...(entered &&
      !isSame(entered[name], values[name]) && { hint: t.problem.youEntered(shownOf(entered[name])) }),
    onChange: (value) => {
      setValues((current) => ({ ...current, [name]: value }));
      setErrors((current) => withoutError(current, pointer(name)));
    },
  });

  return { form, values, setValues, field, submit, busy, problem, rest: errors.rest };
}

/** Quotes each item of a list, because the names of tools are not ours. */
const shownOf = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map((each) => t.untrusted.quoted(nameText(String(each))))
    : typeof value === 'string'
      ? nameText(value)
      : value;

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

function focusField(form: HTMLFormElement | null, name: string): void {
  const element = form?.elements.namedItem(name);
  if (element instanceof HTMLElement) element.focus();
}
