import { useQueries } from '@tanstack/react-query';
import { useEffect, useId, useState } from 'react';
import { listOf } from '../../api/queries.ts';
import type { Member } from '../../api/types.ts';
import { TextField } from '../../design/inputs.tsx';
import { useSession } from '../../session/session.tsx';
import { t } from '../../text/en.ts';
import { revealed } from '../../untrusted/reveal.ts';
import styles from './audit.module.css';

/** Time without typing after which the server is asked. */
const PAUSE_MS = 300;
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
      return { id, name: revealed(name ?? email ?? id), kind: email ?? '' };
    },
  },
];
const named = (path: string, scope: string, kind: string): Source => ({
  path,
  scope,
  choiceOf: ({ id, name }) => ({ id, name: revealed(name ?? id), kind }),
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
  const search = useSettled(text.trim());
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
  // Not on typing alone: the name may have been typed before the server has answered.
  // biome-ignore lint/correctness/useExhaustiveDependencies: onPick is another function in each render
  useEffect(() => {
    if (chosen !== undefined) onPick(chosen);
  }, [chosen]);
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
        inputProps={{ list: id, onFocus: () => setUsed(true) }}
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

/** Returns a text once it has not changed for a while. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
