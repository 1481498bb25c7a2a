import { useQueries } from '@tanstack/react-query';
import { useEffect, useId, useState } from 'react';
import { listOf } from '../../api/queries.ts';
import type { Member } from '../../api/types.ts';
import { TextField } from '../../design/inputs.tsx';
import { usePaused } from '../../lists/use-paused.ts';
import { useSession } from '../../session/session.tsx';
import { t } from '../../text/en.ts';
import { nameText } from '../../untrusted/reveal.ts';
import styles from './audit.module.css';

const FOUND_AT_MOST = 20;

interface Choice {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
}

interface Source {
  readonly path: string;
  readonly scope: string;
  choiceOf(found: { readonly id: string; readonly name: string | null }): Choice;
}

const MEMBERS: readonly Source[] = [
  {
    path: '/members',
    scope: 'members:read',
    choiceOf: (member) => {
      const { user_id: id, name, email } = member as Member;
      return { id, name: nameText(name ?? email ?? id), kind: email ?? '' };
    },
  },
];
const named = (path: string, scope: string, kind: string): Source => ({
  path,
  scope,
  choiceOf: ({ id, name }) => ({ id, name: nameText(name ?? id), kind }),
});
const THINGS: readonly Source[] = [
  named('/connectors', 'connectors:read', t.connectors.one),
  named('/agents', 'agents:read', t.agents.one),
];

interface PickerProps {
  onPick(id: string): void;
}

/** Chooses whose events are shown. */
export const WhoPicker = ({ onPick }: PickerProps) => (
  <Picker label={t.audit.anybody} sources={MEMBERS} onPick={onPick} />
);

/** Chooses the connector or the agent whose events are shown. */
export const AboutPicker = ({ onPick }: PickerProps) => (
  <Picker label={t.audit.aboutAnything} sources={THINGS} onPick={onPick} />
);

interface Props extends PickerProps {
  readonly label: string;
  readonly sources: readonly Source[];
}

/** A field that suggests names; it asks the server only once the reader is about to choose. */
function Picker({ label, sources, onPick }: Props) {
  const id = useId();
  const { scopes } = useSession();
  const [isUsed, setUsed] = useState(false);
  const [text, setText] = useState('');
  const [isDone, setDone] = useState(false);
  const search = usePaused(text.trim());
  const readable = sources.filter(({ scope }) => scopes.includes(scope));
  const found = useQueries({
    queries: readable.map(({ path }) => ({
      ...listOf<{ id: string; name: string | null }>(path, {
        search: search || undefined,
        limit: FOUND_AT_MOST,
      }),
      enabled: isUsed,
    })),
  });
  const choices = readable.flatMap(({ choiceOf }, index) => (found[index]?.data?.data ?? []).map(choiceOf));
  const textOf = ({ id, name }: Choice) =>
    choices.some((other) => other.name === name && other.id !== id) ? `${name} (${id})` : name;
  const chosen = choices.find((choice) => textOf(choice) === text)?.id;
  // An effect, because the reader may finish the name before the server answers
  // biome-ignore lint/correctness/useExhaustiveDependencies: onPick is another function in each render
  useEffect(() => {
    if (isDone && chosen !== undefined) onPick(chosen);
  }, [isDone, chosen]);
  if (readable.length === 0) return null;
  return (
    <div className={styles.picker}>
      <TextField
        hideLabel
        type="search"
        name={id}
        label={label}
        placeholder={label}
        value={text}
        onChange={setText}
        inputProps={{
          list: id,
          onFocus: () => setUsed(true),
          onInput: ({ nativeEvent }) => setDone(isChoice(nativeEvent as InputEvent)),
          onKeyDown: ({ key }) => key === 'Enter' && setDone(true),
        }}
      />
      <datalist id={id}>
        {choices.map((choice) => (
          <option key={choice.id} value={textOf(choice)}>
            {choice.kind}
          </option>
        ))}
      </datalist>
    </div>
  );
}

/** Returns true if a suggestion was chosen, rather than a character typed: browsers name the event differently. */
const isChoice = ({ inputType }: InputEvent): boolean =>
  inputType === undefined || inputType === 'insertReplacementText';
