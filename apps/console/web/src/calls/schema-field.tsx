import { Plus, X } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { Button, IconButton } from '../design/button.tsx';
import { Select, TextArea, TextField } from '../design/inputs.tsx';
import { Quoted, ToolLabel } from '../design/untrusted.tsx';
import { t } from '../text/en.ts';
import { nameText } from '../untrusted/reveal.ts';
import styles from './calls.module.css';
import { type ArgumentErrors, errorsOfObject, errorsWithin } from './check.ts';
import { branchOf, type Field, initialOf, type Json } from './fields.ts';

interface SchemaFieldProps {
  readonly field: Field;
  /** JSON Pointer of the value */
  readonly pointer: string;
  readonly label?: ReactNode;
  readonly required?: boolean | undefined;
  readonly value: Json | undefined;
  readonly errors: ArgumentErrors;
  onChange(value: Json | undefined): void;
}

/** The control of a field. Its name and description come from the tool server, and are shown as such. */
export function SchemaField(props: SchemaFieldProps) {
  const { field, pointer, label = t.calls.form, required, errors, value, onChange } = props;
  const common = {
    name: pointer,
    label,
    required,
    error: errorsWithin(errors, pointer),
    ...(field.description !== undefined && { hint: <Quoted text={field.description} /> }),
  };
  switch (field.kind) {
    case 'text': {
      const shown = typeof value === 'string' ? value : '';
      // An empty text is not sent, unless the field is required: then the empty text itself is sent.
      const set = (text: string) => onChange(text === '' && !required ? undefined : text);
      return field.long ? (
        <TextArea {...common} rows={3} value={shown} onChange={set} />
      ) : (
        <TextField {...common} type={typeOf(field.format)} value={shown} onChange={set} />
      );
    }
    case 'number':
      return <NumberField {...common} value={value} onChange={onChange} />;
    case 'boolean':
    case 'options':
      return <Options {...props} common={common} />;
    case 'list':
      return <List {...props} item={field.item} />;
    case 'object':
      return <Members {...props} />;
    case 'choice':
      return <Choice {...props} branches={field.branches} />;
    case 'null':
      if (value === null || value === undefined) return null; // it has no other value
      return <JsonField {...common} value={value} onChange={onChange} />;
    default:
      return <JsonField {...common} value={value} onChange={onChange} />;
  }
}

/** Returns the browser's own input for a format of a string (JSON Schema Validation §7.3). */
const typeOf = (format: string | undefined) =>
  format === 'date' || format === 'email' ? format : format === 'uri' ? 'url' : 'text';

/** The error of a group of controls as a whole. */
const GroupError = ({ words }: { readonly words: string | undefined }) =>
  words === undefined ? null : (
    <p role="alert" className={styles.groupError}>
      {words}
    </p>
  );

interface Common {
  readonly name: string;
  readonly label: ReactNode;
  readonly required?: boolean | undefined;
  readonly error: string | undefined;
}

function NumberField({ value, onChange, ...common }: Common & Pick<SchemaFieldProps, 'value' | 'onChange'>) {
  const [text, setText] = useState(typeof value === 'number' ? String(value) : '');
  return (
    <TextField
      {...common}
      inputProps={{ inputMode: 'decimal' }}
      value={text}
      onChange={(next) => {
        setText(next);
        const parsed = Number(next);
        // Text that is not a number is sent as typed: the check of the schema reports it at this field.
        onChange(next.trim() === '' ? undefined : Number.isFinite(parsed) ? parsed : next);
      }}
    />
  );
}

function Options({ field, value, onChange, common }: SchemaFieldProps & { readonly common: Common }) {
  const values: readonly Json[] = field.kind === 'options' ? field.options : [true, false];
  const words = (each: Json) =>
    each === true ? t.calls.yes : each === false ? t.calls.no : nameText(String(each));
  const at = values.findIndex((each) => JSON.stringify(each) === JSON.stringify(value));
  return (
    <Select
      {...common}
      value={String(at)}
      options={[
        { value: '-1', label: t.calls.unset },
        ...values.map((each, index) => ({ value: String(index), label: words(each) })),
      ]}
      onChange={(index) => onChange(values[Number(index)])}
    />
  );
}

function List({
  item,
  pointer,
  label,
  required,
  value,
  errors,
  onChange,
}: SchemaFieldProps & { readonly item: Field }) {
  const items = Array.isArray(value) ? (value as readonly Json[]) : [];
  const [removals, setRemovals] = useState(0);
  const set = (at: number, next: Json | undefined) =>
    onChange(items.map((each, index) => (index === at ? (next ?? '') : each)));
  function remove(at: number) {
    const left = items.filter((_, index) => index !== at);
    onChange(left.length === 0 && !required ? undefined : left);
    setRemovals((count) => count + 1);
  }
  return (
    <fieldset className={styles.group}>
      <legend>{label}</legend>
      <GroupError words={errors.get(pointer)} />
      {items.map((each, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items have no identity; after a removal, all fields start over
        <div key={`${removals}-${index}`} className={styles.item}>
          <SchemaField
            field={item}
            pointer={`${pointer}/${index}`}
            label={`${index + 1}`}
            required
            value={each}
            errors={errors}
            onChange={(next) => set(index, next)}
          />
          <IconButton icon={X} label={t.calls.removeItem} onClick={() => remove(index)} />
        </div>
      ))}
      <Button variant="quiet" icon={Plus} onClick={() => onChange([...items, initialOf(item) ?? ''])}>
        {t.calls.addItem}
      </Button>
    </fieldset>
  );
}

function Members({ field, pointer, label, required, value, errors, onChange }: SchemaFieldProps) {
  if (field.kind !== 'object') return null;
  const object = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  /** An optional object without members is not sent. */
  function set(name: string, next: Json | undefined) {
    const members = { ...object, [name]: next };
    const isEmpty = Object.values(members).every((each) => each === undefined);
    onChange(isEmpty && required === false ? undefined : members);
  }
  const members = field.members.map(({ name, required, field: member }) => (
    <SchemaField
      key={name}
      field={member}
      pointer={`${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`}
      label={<ToolLabel name={name} />}
      required={required}
      value={Object.hasOwn(object, name) ? (object as Record<string, Json>)[name] : undefined}
      errors={errors}
      onChange={(next) => set(name, next)}
    />
  ));
  const fault = <GroupError words={errorsOfObject(errors, pointer, field.members)} />;
  if (pointer === '')
    return (
      <div className={styles.members}>
        {members}
        {fault}
      </div>
    );
  return (
    <fieldset className={styles.group}>
      <legend>{label}</legend>
      {fault}
      {members}
    </fieldset>
  );
}

function Choice(props: SchemaFieldProps & { readonly branches: readonly Field[] }) {
  const { branches, label, pointer, required, value, errors, onChange } = props;
  const [at, setAt] = useState(() => branchOf(branches, value));
  const branch = branches[at];
  const id = useId();
  const words = ({ title, kind }: Field, index: number) => {
    if (title !== undefined) return t.untrusted.quoted(nameText(title));
    return kind === 'null' ? 'null' : t.calls.choiceOf(index + 1);
  };
  return (
    <fieldset className={styles.group}>
      <legend>{label}</legend>
      <Select
        name={`${id}-choice`}
        label={t.calls.choice}
        error={branch ? undefined : errorsWithin(errors, pointer)}
        value={String(at)}
        required={required}
        options={[
          { value: '-1', label: t.calls.unset },
          ...branches.map((each, index) => ({ value: String(index), label: words(each, index) })),
        ]}
        onChange={(next) => {
          const chosen = branches[Number(next)];
          setAt(Number(next));
          onChange(chosen && initialOf(chosen));
        }}
      />
      {branch && (
        <SchemaField {...props} key={at} field={branch} pointer={pointer} label={words(branch, at)} />
      )}
    </fieldset>
  );
}

/** A JSON input, for parts that no other field can show. */
export function JsonField({
  value,
  onChange,
  error,
  ...common
}: Common & Pick<SchemaFieldProps, 'value' | 'onChange'>) {
  const [text, setText] = useState(value === undefined ? '' : JSON.stringify(value, null, 2));
  const [fault, setFault] = useState<string>();
  return (
    <div data-json-fault={fault === undefined ? undefined : ''}>
      <TextArea
        {...common}
        mono
        rows={5}
        placeholder={t.calls.jsonHint}
        value={text}
        error={fault ?? error}
        onChange={(next) => {
          setText(next);
          setFault(undefined);
          try {
            onChange(next.trim() === '' ? undefined : JSON.parse(next));
          } catch {
            setFault(t.calls.jsonInvalid);
          }
        }}
      />
    </div>
  );
}
