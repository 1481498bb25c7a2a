import { useQueryClient } from '@tanstack/react-query';
import { api, management } from '../../api/client.ts';
import type { Organization } from '../../api/types.ts';
import { Button } from '../../design/button.tsx';
import { Select, TextField } from '../../design/inputs.tsx';
import { Section, Stack } from '../../design/layout.tsx';
import { Problem } from '../../design/states.tsx';
import { toast } from '../../design/toast.tsx';
import { useForm } from '../../forms/use-form.ts';
import { sessionQuery, useRight } from '../../session/session.tsx';
import { t } from '../../text/en.ts';

const DEFAULT_ROLES = (['deployment', 'none', 'viewer', 'developer', 'admin'] as const).map((value) => ({
  value,
  label: t.settings.defaultRoles[value],
}));
const ROLE_SOURCES = (['local', 'identity_provider'] as const).map((value) => ({
  value,
  label: t.settings.roleSources[value],
}));
const POLICIES = (['any', 'named', 'authenticated'] as const).map((value) => ({
  value,
  label: t.settings.agentPolicies[value],
}));

interface ProfileFormProps {
  readonly organization: Organization;
  readonly etag: string | undefined;
  onSaved(saved: { readonly data: Organization; readonly etag: string | undefined }): void;
  onReload(): void;
}

/** A form with the name of the organization, how its members get their roles, and the requirements for agents. */
export function ProfileForm({ organization, etag, onSaved, onReload }: ProfileFormProps) {
  const client = useQueryClient();
  const right = useRight('org:write');
  const locked = !right.has;
  const form = useForm({
    version: etag,
    initial: {
      name: organization.name,
      default_role: organization.default_role ?? ('deployment' as const),
      role_source: organization.role_source,
      agent_policy: organization.agent_policy,
    },
    check: ({ name }) => (name.trim() === '' ? { name: t.settings.nameMissing } : {}),
    send: async ({ default_role: role, ...values }) => {
      const body = { ...values, default_role: role === 'deployment' ? null : role };
      onSaved(
        await api.send<Organization>(management('/organization'), { method: 'PATCH', body, ifMatch: etag }),
      );
      toast(t.settings.saved);
      await client.invalidateQueries({ queryKey: ['api'] });
      await client.invalidateQueries(sessionQuery);
    },
  });
  return (
    <Section title={t.settings.tabs.organization}>
      <form ref={form.form} onSubmit={form.submit} noValidate>
        <Stack>
          <TextField
            label={t.settings.name}
            hint={t.settings.nameHint}
            required
            inputProps={{ readOnly: locked }}
            {...form.field('name')}
          />
          <Select
            label={t.settings.defaultRole}
            hint={t.settings.defaultRoleHint}
            options={DEFAULT_ROLES}
            disabled={locked}
            {...form.field('default_role')}
          />
          <Select
            label={t.settings.roleSource}
            options={ROLE_SOURCES}
            disabled={locked}
            {...form.field('role_source')}
          />
          <Select
            label={t.settings.agentPolicy}
            options={POLICIES}
            disabled={locked}
            {...form.field('agent_policy')}
          />
          <div>
            <Button type="submit" variant="primary" busy={form.busy} unavailable={right.reason}>
              {t.settings.save}
            </Button>
          </div>
        </Stack>
      </form>
      {form.problem !== undefined && <Problem problem={form.problem} onReload={onReload} />}
    </Section>
  );
}
