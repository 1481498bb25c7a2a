import { methodFacts } from '@legate/delegation/methods';
import { useState } from 'react';
import type { Connector } from '../../api/types.ts';
import { Button } from '../../design/button.tsx';
import { FormDialog } from '../../design/form-modal.tsx';
import { SecretField } from '../../design/inputs.tsx';
import { Revealed } from '../../design/untrusted.tsx';
import { useForm } from '../../forms/use-form.ts';
import { useRight } from '../../session/session.tsx';
import { t } from '../../text/en.ts';
import { useConnectorChange } from './changes.ts';

interface PinIssuerProps {
  readonly connector: Connector;
  readonly etag: string | undefined;
  /** URL of the authorization server, in its own spelling */
  readonly issuer: string;
  /** Called once it is saved */
  onPinned(): void;
}

/** A button that makes the connector trust an authorization server, after a confirmation. */
export function PinIssuer(props: PinIssuerProps) {
  const right = useRight('connectors:write');
  const [open, setOpen] = useState(false);
  return (
    <div>
      <Button unavailable={right.reason} onClick={() => setOpen(true)}>
        {t.connectors.pinIt}
      </Button>
      {open && <PinDialog {...props} onClose={() => setOpen(false)} />}
    </div>
  );
}

/**
 * Asks for confirmation, and for the secret again: the API deletes it when the issuer changes, so that the new issuer
 * does not get it.
 */
function PinDialog({ connector, etag, issuer, onPinned, onClose }: PinIssuerProps & { onClose(): void }) {
  const change = useConnectorChange(connector.id);
  const isSecret = connector.has_secret || methodFacts(connector.auth_method).secret === 'required';
  const form = useForm({
    initial: { secret: '' },
    check: ({ secret }) => (isSecret && secret === '' ? { secret: t.connectors.clientSecretMissing } : {}),
    send: async ({ secret }) => {
      // Emptied before it is sent, so that a refusal leaves no secret in the page.
      form.setValues({ secret: '' });
      await change.mutateAsync({
        method: 'PATCH',
        ifMatch: etag,
        body: { issuer, ...(isSecret && { secret }) },
      });
      onClose();
      onPinned();
    },
  });
  return (
    <FormDialog title={t.connectors.pinTitle} submit={t.connectors.pinButton} form={form} onClose={onClose}>
      <p>{t.connectors.pinText(isSecret, connector.enabled)}</p>
      <p>
        <code>
          <Revealed text={issuer} />
        </code>
      </p>
      {isSecret && <SecretField label={t.connectors.secret} required {...form.field('secret')} />}
    </FormDialog>
  );
}
