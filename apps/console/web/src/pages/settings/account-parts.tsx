import type { ServiceAccount } from '../../api/types.ts';
import { Select, TextField } from '../../design/inputs.tsx';
import { Status } from '../../design/status.tsx';
import type { FieldBinding } from '../../forms/use-form.ts';
import { t } from '../../text/en.ts';

export const ROLES = (['admin', 'developer', 'viewer'] as const).map((value) => ({
  value,
  label: t.roles[value],
}));

export const AccountStatus = ({ status }: Pick<ServiceAccount, 'status'>) => (
  <Status tone={status === 'active' ? 'allowed' : 'neutral'}>{t.settings.statuses[status]}</Status>
);

interface Values {
  readonly name: string;
  readonly description: string;
  readonly role: ServiceAccount['role'];
}

/** Fields that are set when an account is added, and may be edited later. */
export function AccountFields({
  field,
}: {
  field<K extends keyof Values>(name: K): FieldBinding<Values[K]>;
}) {
  return (
    <>
      <TextField label={t.settings.name} required {...field('name')} />
      <TextField label={t.settings.description} required={false} {...field('description')} />
      <Select label={t.settings.role} hint={t.settings.roleHint} options={ROLES} {...field('role')} />
    </>
  );
}
