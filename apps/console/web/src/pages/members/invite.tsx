import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, management } from '../../api/client.ts';
import type { Invitation, Role } from '../../api/types.ts';
import { FormDialog } from '../../design/form-modal.tsx';
import { Select, TextField } from '../../design/inputs.tsx';
import { ShownOnce } from '../../design/shown-once.tsx';
import { useForm } from '../../forms/use-form.ts';
import { useSession } from '../../session/session.tsx';
import { t } from '../../text/en.ts';
import { rolesToGive } from './obstacles.ts';

const DAYS = (['1', '7', '14', '30'] as const).map((value) => ({
  value,
  label: t.members.daysOf(Number(value)),
}));

/** Asks whom to invite, and shows the link once. */
export function Invite({ onClose }: { onClose(): void }) {
  const client = useQueryClient();
  const { role: ownRole } = useSession();
  const [link, setLink] = useState<string>();
  const form = useForm({
    initial: { email: '', role: 'viewer' as Role, expires_in_days: '7' as (typeof DAYS)[number]['value'] },
    check: ({ email }) => (email.trim() === '' ? { email: t.members.emailMissing } : {}),
    send: async ({ email, role, expires_in_days: days }) => {
      const { data } = await api.send<Invitation>(management('/invitations'), {
        method: 'POST',
        idempotencyKey: crypto.randomUUID(),
        body: { email: email.trim(), role, expires_in_days: Number(days) },
      });
      await client.invalidateQueries({ queryKey: ['api'] });
      if (data.accept_url === null) onClose();
      else setLink(data.accept_url);
    },
  });
  if (link !== undefined) return <InvitationLink link={link} onClose={onClose} />;
  return (
    <FormDialog title={t.members.inviteTitle} submit={t.members.makeLink} form={form} onClose={onClose}>
      <TextField
        type="email"
        label={t.members.email}
        hint={t.members.inviteEmailHint}
        required
        {...form.field('email')}
      />
      <Select
        label={t.members.role}
        hint={t.members.roleHints[form.values.role]}
        options={rolesToGive(ownRole).map((value) => ({ value, label: t.roles[value] }))}
        {...form.field('role')}
      />
      <Select label={t.members.days} options={DAYS} {...form.field('expires_in_days')} />
    </FormDialog>
  );
}

export const InvitationLink = ({ link, onClose }: { readonly link: string; onClose(): void }) => (
  <ShownOnce
    title={t.members.linkTitle}
    label={t.members.link}
    secret={link}
    text={t.members.linkText}
    onClose={onClose}
  />
);
