import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, management } from '../../api/client.ts';
import type { KeyScope, NewApiKey, ServiceAccount } from '../../api/types.ts';
import { FormPanel } from '../../design/form-modal.tsx';
import { Checkbox, Select, TextArea, TextField } from '../../design/inputs.tsx';
import { ShownOnce } from '../../design/shown-once.tsx';
import { type FieldBinding, useForm } from '../../forms/use-form.ts';
import { wordsOf } from '../../forms/words.ts';
import { useSession } from '../../session/session.tsx';
import { t } from '../../text/en.ts';
import { scopesToGive } from './key-scopes.ts';
import styles from './settings.module.css';

const DAY_MS = 86_400_000;
const DAYS = (['7', '30', '90', '365'] as const).map((value) => ({
  value,
  label: t.settings.daysOf(Number(value)),
}));

interface CreateKeyProps {
  readonly account: ServiceAccount;
  onClose(): void;
}

/** Asks which scopes a key gets, and shows the key once. */
export function CreateKey({ account, onClose }: CreateKeyProps) {
  const client = useQueryClient();
  const { scopes: own } = useSession();
  const [key, setKey] = useState<string>();
  const form = useForm({
    initial: {
      name: '',
      scopes: [] as readonly KeyScope[],
      expires_at: '90' as (typeof DAYS)[number]['value'],
      allowed_ips: '',
    },
    check: ({ name, scopes }) => ({
      ...(name.trim() === '' && { name: t.settings.nameMissing }),
      ...(scopes.length === 0 && { scopes: t.settings.scopesMissing }),
    }),
    send: async ({ name, scopes, expires_at: days, allowed_ips: lines }) => {
      const { data } = await api.send<NewApiKey>(management(`/service-accounts/${account.id}/keys`), {
        method: 'POST',
        idempotencyKey: crypto.randomUUID(),
        body: {
          name,
          scopes,
          expires_at: new Date(Date.now() + Number(days) * DAY_MS).toISOString(),
          allowed_ips: wordsOf(lines),
        },
      });
      await client.invalidateQueries({ queryKey: ['api'] });
      if (data.key === null) onClose();
      else setKey(data.key);
    },
  });
  if (key !== undefined) return <KeyShownOnce secret={key} onClose={onClose} />;
  return (
    <FormPanel title={t.settings.keyTitle} submit={t.settings.addKey} form={form} onClose={onClose}>
      <TextField label={t.settings.name} hint={t.settings.keyNameHint} required {...form.field('name')} />
      <Scopes offered={scopesToGive(account.role, own)} {...form.field('scopes')} />
      <Select label={t.settings.ends} options={DAYS} {...form.field('expires_at')} />
      <TextArea
        mono
        rows={2}
        label={t.settings.addresses}
        hint={t.settings.addressesHint}
        required={false}
        {...form.field('allowed_ips')}
      />
    </FormPanel>
  );
}

export const KeyShownOnce = ({ secret, onClose }: { readonly secret: string; onClose(): void }) => (
  <ShownOnce
    title={t.settings.keyOnceTitle}
    label={t.settings.key}
    secret={secret}
    text={t.settings.keyOnceText}
    onClose={onClose}
  />
);

interface ScopesProps extends FieldBinding<readonly KeyScope[]> {
  readonly offered: readonly KeyScope[];
}

function Scopes({ name, offered, value, error, onChange }: ScopesProps) {
  return (
    <fieldset className={styles.scopes}>
      <legend>{t.settings.scopes}</legend>
      <p className="muted">{t.settings.scopesHint}</p>
      {offered.map((scope, index) => (
        <Checkbox
          key={scope}
          // If no scope is chosen, the focus moves to the first one.
          {...(index === 0 && { name })}
          label={<code>{scope}</code>}
          value={value.includes(scope)}
          onChange={(on) => onChange(on ? [...value, scope] : value.filter((other) => other !== scope))}
        />
      ))}
      {error !== undefined && (
        <p role="alert" className={styles.error}>
          {error}
        </p>
      )}
    </fieldset>
  );
}
