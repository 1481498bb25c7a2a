import { useMutation } from '@tanstack/react-query';
import { api, management } from '../../api/client.ts';
import type { OriginCheck } from '../../api/types.ts';
import { Button } from '../../design/button.tsx';
import { TextField } from '../../design/inputs.tsx';
import { Section, Stack } from '../../design/layout.tsx';
import { Problem } from '../../design/states.tsx';
import { Status } from '../../design/status.tsx';
import { useForm } from '../../forms/use-form.ts';
import { t } from '../../text/en.ts';

/** Shows whether pages of an origin may embed the site's agents, and the reason if not. */
export function TryOrigin({ siteId }: { readonly siteId: string }) {
  const check = useMutation({
    mutationFn: async (origin: string) =>
      (
        await api.send<OriginCheck>(management(`/sites/${siteId}/origins/check`), {
          method: 'POST',
          body: { origin },
        })
      ).data,
  });
  const form = useForm({
    initial: { origin: '' },
    check: ({ origin }) => (origin.trim() === '' ? { origin: t.sites.originMissing } : {}),
    send: async ({ origin }) => void (await check.mutateAsync(origin.trim())),
  });
  return (
    <Section title={t.sites.tryOrigin}>
      <form ref={form.form} onSubmit={form.submit} noValidate>
        <Stack>
          <TextField type="url" label={t.sites.origin} {...form.field('origin')} />
          <div>
            <Button type="submit" busy={form.busy}>
              {t.sites.try}
            </Button>
          </div>
        </Stack>
      </form>
      <div aria-live="polite">
        {check.data && (
          <Status tone={check.data.allowed ? 'allowed' : 'refused'} filled>
            {check.data.allowed ? t.sites.allowed : t.sites.refused}
          </Status>
        )}{' '}
        {check.data?.reason && (
          <>
            {t.sites.reasons[check.data.reason]} <code>{check.data.reason}</code>
          </>
        )}
      </div>
      {form.problem !== undefined && <Problem problem={form.problem} />}
    </Section>
  );
}
