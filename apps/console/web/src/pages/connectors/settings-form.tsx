import { methodFacts } from '@legate/delegation/methods';
import type { Connector } from '../../api/types.ts';
import { Button } from '../../design/button.tsx';
import { Checkbox, SecretField, Select, TextField } from '../../design/inputs.tsx';
import { Section, Stack } from '../../design/layout.tsx';
import { Notice, Problem } from '../../design/states.tsx';
import { toast } from '../../design/toast.tsx';
import { useForm } from '../../forms/use-form.ts';
import { useRight } from '../../session/session.tsx';
import { t } from '../../text/en.ts';
import { useConnectorChange } from './changes.ts';
import {
  asksClient,
  asksIssuer,
  changesOf,
  mayAuthenticate,
  needsAcknowledgement,
  needsSecret,
  secretAfter,
  valuesOf,
} from './connector-settings.ts';
import { asksExchange } from './exchange-audience.ts';
import { ExchangeFields } from './exchange-fields.tsx';
import { FallbackFields } from './fallback-fields.tsx';
import { isService, methodOptions } from './methods.ts';
import { missingOfAny } from './missing.ts';

interface SettingsFormProps {
  /** The connector as read when the form was opened: a newer version is not overwritten */
  readonly connector: Connector;
  readonly etag: string | undefined;
  onReload(): void;
}

const CLIENT_AUTH = (['', 'client_secret_post', 'client_secret_basic', 'private_key_jwt'] as const).map(
  (value) => ({ value, label: t.connectors.clientAuths[value] }),
);

/** A form with the settings of a connector that an administrator may change. */
export function SettingsForm({ connector, etag, onReload }: SettingsFormProps) {
  const right = useRight('connectors:write');
  const change = useConnectorChange(connector.id);
  const form = useForm({
    initial: valuesOf(connector),
    check: ({ acknowledge_legacy, ...values }) =>
      missingOfAny({
        ...values,
        acknowledge_legacy:
          acknowledge_legacy || !needsAcknowledgement(connector, { ...values, acknowledge_legacy }),
      }),
    send: async (values) => {
      // Emptied before it is sent, so that a refusal leaves no secret in the page.
      form.setValues((now) => ({ ...now, secret: '' }));
      await change.mutateAsync({ method: 'PATCH', ifMatch: etag, body: changesOf(connector, values) });
      toast(t.connectors.saved);
      onReload();
    },
  });
  const method = methodFacts(form.values.auth_method);
  const secret = secretAfter(connector, form.values);
  const methods = methodOptions((facts) => !isService(facts) || connector.auth_method === facts.name);
  return (
    <Section>
      <form ref={form.form} onSubmit={form.submit} noValidate>
        <Stack>
          <TextField label={t.connectors.name} hint={t.connectors.nameHint} {...form.field('name')} />
          <TextField mono label={t.connectors.slug} hint={t.connectors.slugHint} {...form.field('slug')} />
          <TextField type="url" label={t.connectors.address} {...form.field('resource_url')} />
          <TextField
            type="url"
            label={t.connectors.endpoint}
            hint={t.connectors.endpointHint}
            required={false}
            {...form.field('mcp_url')}
          />
          <Select label={t.connectors.method} options={methods} {...form.field('auth_method')} />
          <FallbackFields connector={connector} values={form.values} {...form.field('fallback')} />
          {needsAcknowledgement(connector, form.values) && (
            <Checkbox label={t.connectors.legacy} {...form.field('acknowledge_legacy')} />
          )}
          {asksIssuer(form.values) && (
            <>
              <TextField
                type="url"
                label={t.connectors.issuer}
                hint={asksExchange(form.values) ? t.connectors.issuerOfExchange : t.connectors.issuerPinned}
                required={false}
                {...form.field('issuer')}
              />
              {asksClient(form.values) && (
                <TextField
                  label={t.connectors.clientId}
                  required={method.client === 'required'}
                  {...form.field('client_id')}
                />
              )}
            </>
          )}
          {asksExchange(form.values) && (
            <ExchangeFields
              values={form.values}
              audience={form.field('exchange_audience')}
              tokenAudience={form.field('token_audience')}
              acknowledgement={form.field('acknowledge_shared_audience')}
            />
          )}
          {method.hasAudience && (
            <TextField
              label={t.connectors.audience}
              hint={t.connectors.audienceHint}
              required={false}
              {...form.field('audience')}
            />
          )}
          {mayAuthenticate(form.values) && (
            <Select
              label={t.connectors.clientAuth}
              options={CLIENT_AUTH}
              {...form.field('token_endpoint_auth_method')}
            />
          )}
          {secret === 'dropped' && <Notice tone="warning">{t.connectors.secretDropped}</Notice>}
          {(secret === 'dropped' || secret === 'missing') && (
            <SecretField
              label={t.connectors.secret}
              hint={method.secret === 'client' ? t.connectors.publicClient : undefined}
              required={needsSecret(connector, form.values)}
              {...form.field('secret')}
            />
          )}
          <TextField
            mono
            label={t.connectors.scopes}
            hint={t.connectors.scopesHint}
            required={false}
            {...form.field('scopes')}
          />
          <TextField
            mono
            label={t.connectors.stepUpScopes}
            hint={t.connectors.stepUpScopesHint}
            required={false}
            {...form.field('step_up_scopes')}
          />
          <div>
            <Button type="submit" variant="primary" busy={form.busy} unavailable={right.reason}>
              {t.common.save}
            </Button>
          </div>
        </Stack>
      </form>
      {form.problem !== undefined && <Problem problem={form.problem} onReload={onReload} />}
    </Section>
  );
}
