import type { AuthMethod } from '@legate/delegation/methods';
import { methodFacts } from '@legate/delegation/methods';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, management } from '../../api/client.ts';
import { ApiProblem } from '../../api/problem.ts';
import type { Connector, CreateConnector } from '../../api/types.ts';
import { FormPanel } from '../../design/form-modal.tsx';
import { Checkbox, SecretField, Select, TextField } from '../../design/inputs.tsx';
import { Notice, Problem } from '../../design/states.tsx';
import { toast } from '../../design/toast.tsx';
import { useForm } from '../../forms/use-form.ts';
import { wordsOf } from '../../forms/words.ts';
import { t } from '../../text/en.ts';
import { asksExchange, exchangeMembers } from './exchange-audience.ts';
import { ExchangeFields } from './exchange-fields.tsx';
import { identified, methodFound, outcomeIn } from './findings.ts';
import { LookResult } from './look-result.tsx';
import { isService, methodOptions } from './methods.ts';
import { missingOfAny } from './missing.ts';
import { examineOrDisable } from './use-examination.ts';
import { useLook } from './use-look.ts';

/** The other members get the API's defaults. */
type NewConnector = Partial<CreateConnector> & Pick<CreateConnector, 'name' | 'resource_url'>;
const METHODS = methodOptions((facts) => !isService(facts));
const EMPTY = {
  resource_url: '',
  name: '',
  auth_method: 'id-jag' as AuthMethod,
  fallback: [],
  issuer: '',
  client_id: '',
  secret: '',
  scopes: '',
  exchange_audience: '',
  token_audience: '',
  acknowledge_shared_audience: false,
  acknowledge_legacy: false,
};

/** Adds a connector: the hub first inspects the URL, then examines the saved connector with a delegation. */
export function AddConnector({ onClose }: { onClose(): void }) {
  const save = useSave(onClose);
  const [method, setMethod] = useState<'assumed' | 'found' | 'chosen'>('assumed');
  const look = useLook((checks) => {
    const found = methodFound(checks);
    if (found === undefined || method === 'chosen') return;
    setMethod('found');
    form.setValues((now) => ({ ...now, auth_method: found }));
  });
  const form = useForm({
    initial: EMPTY,
    check: (values) => missing(identified(values, look.checks)),
    send: async (values) => {
      const addresses = await look.addressesOf(values.resource_url.trim());
      await save({ ...bodyOf({ ...values, resource_url: addresses.resource_url }), ...addresses });
      form.setValues((now) => ({ ...now, secret: '' }));
    },
  });
  const { resource_url: address, issuer, auth_method } = form.values;
  const facts = methodFacts(auth_method);
  const methodField = form.field('auth_method');
  const lookAt = () => look.at(address.trim(), issuer);
  return (
    <FormPanel title={t.connectors.add} submit={t.connectors.saveAndExamine} form={form} onClose={onClose}>
      <p className="muted">{t.connectors.addText}</p>
      <TextField
        type="url"
        label={t.connectors.address}
        hint={t.connectors.addressHint}
        required
        onBlur={lookAt}
        inputProps={{
          onKeyDown: (event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault(); // the other fields depend on what the hub finds
            lookAt();
          },
        }}
        {...form.field('resource_url')}
      />
      {look.isPending && <p role="status">{t.connectors.looking}</p>}
      {look.problem && <Problem problem={look.problem} onRetry={() => look.again()} />}
      {look.checks && (
        <LookResult
          address={address.trim()}
          checks={look.checks}
          issuer={look.issuer}
          onTrust={(trusted) => {
            form.setValues((now) => ({ ...now, issuer: trusted }));
            look.trusting(trusted);
          }}
        />
      )}
      <TextField label={t.connectors.name} hint={t.connectors.nameHint} required {...form.field('name')} />
      <Select
        label={t.connectors.method}
        hint={method === 'found' ? t.connectors.methodFound : undefined}
        options={METHODS}
        {...methodField}
        onChange={(next) => {
          setMethod('chosen');
          methodField.onChange(next);
        }}
      />
      {facts.isLegacy && <Checkbox label={t.connectors.legacy} {...form.field('acknowledge_legacy')} />}
      {asksExchange(form.values) && (
        <ExchangeFields
          values={identified(form.values, look.checks)}
          audience={form.field('exchange_audience')}
          tokenAudience={form.field('token_audience')}
          acknowledgement={form.field('acknowledge_shared_audience')}
        />
      )}
      {facts.issuesTokens && (
        <>
          <TextField
            type="url"
            label={t.connectors.issuer}
            hint={asksExchange(form.values) ? t.connectors.issuerOfExchange : t.connectors.issuerHint}
            required={false}
            {...form.field('issuer')}
          />
          {facts.client !== 'none' && (
            <>
              <TextField
                label={t.connectors.clientId}
                hint={t.connectors.clientIdHint}
                required={facts.client === 'required'}
                {...form.field('client_id')}
              />
              <SecretField
                label={t.connectors.secret}
                required={facts.secret === 'required'}
                {...form.field('secret')}
              />
            </>
          )}
          <TextField
            label={t.connectors.scopes}
            hint={t.connectors.scopesHint}
            required={false}
            {...form.field('scopes')}
          />
        </>
      )}
      {form.rest.length > 0 && <Notice tone="warning">{form.rest.join('\n')}</Notice>}
    </FormPanel>
  );
}

/** Finds missing fields that the API would refuse. */
const missing = (values: typeof EMPTY) => {
  const { auth_method, client_id: clientId, secret } = values;
  const method = methodFacts(auth_method);
  return {
    ...missingOfAny(values),
    ...(method.client === 'required' &&
      clientId.trim() === '' && { client_id: t.connectors.clientIdMissing }),
    ...(method.secret === 'required' && secret === '' && { secret: t.connectors.clientSecretMissing }),
  };
};

/** Saves the connector and examines it. A connector that does not work is disabled, and its page says so. */
function useSave(onClose: () => void) {
  const client = useQueryClient();
  const navigate = useNavigate();
  return async (body: NewConnector) => {
    const { data: connector } = await api.send<Connector>(management('/connectors'), {
      method: 'POST',
      body,
      idempotencyKey: crypto.randomUUID(),
    });
    const outcome = await outcomeOf(client, connector.id);
    await client.invalidateQueries({ queryKey: ['api'] });
    if (outcome !== 'fault') toast(t.connectors.addedAs[outcome]);
    onClose();
    void navigate({
      to: '/connectors/$connectorId',
      params: { connectorId: connector.id },
      search: { tab: outcome === 'works' ? 'tools' : 'examination' },
    });
  };
}

type Outcome = ReturnType<typeof outcomeIn> | 'unknown';

/** `unknown`: the connector could not be examined, and may work */
async function outcomeOf(client: QueryClient, id: string): Promise<Outcome> {
  try {
    return outcomeIn(await examineOrDisable(client, id));
  } catch (fault) {
    if (fault instanceof ApiProblem) return 'unknown';
    throw fault;
  }
}

function bodyOf(values: typeof EMPTY): NewConnector {
  const { resource_url, name, auth_method, issuer, client_id, secret, scopes, acknowledge_legacy } = values;
  const { isLegacy, issuesTokens, client } = methodFacts(auth_method);
  const wanted = wordsOf(scopes);
  return {
    resource_url: resource_url.trim(),
    name: name.trim(),
    auth_method,
    ...(isLegacy && { acknowledge_legacy }),
    ...(asksExchange(values) && exchangeMembers(values)),
    ...(issuesTokens && {
      ...(issuer !== '' && { issuer }),
      ...(client !== 'none' && client_id !== '' && { client_id }),
      ...(client !== 'none' && secret !== '' && { secret }),
      ...(wanted.length > 0 && { scopes: wanted }),
    }),
  };
}
