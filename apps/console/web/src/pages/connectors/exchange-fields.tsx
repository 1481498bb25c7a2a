import { Checkbox, TextField } from '../../design/inputs.tsx';
import { Notice } from '../../design/states.tsx';
import type { FieldBinding } from '../../forms/use-form.ts';
import { t } from '../../text/en.ts';
import { type ExchangeValues, isSharedAudience } from './exchange-audience.ts';

interface ExchangeFieldsProps {
  readonly values: ExchangeValues;
  readonly audience: FieldBinding<string>;
  readonly tokenAudience: FieldBinding<string>;
  readonly acknowledgement: FieldBinding<boolean>;
}

/** The audience of exchanged tokens, and what an administrator has to know about these. */
export function ExchangeFields({ values, audience, tokenAudience, acknowledgement }: ExchangeFieldsProps) {
  return (
    <>
      <Notice>{t.connectors.exchangeClaims}</Notice>
      <TextField
        label={t.connectors.exchangeAudience}
        hint={t.connectors.exchangeAudienceHint}
        required
        {...audience}
      />
      <TextField
        label={t.connectors.tokenAudience}
        hint={t.connectors.tokenAudienceHint}
        required={false}
        {...tokenAudience}
      />
      {isSharedAudience(values) && <Checkbox label={t.connectors.sharedAudience} {...acknowledgement} />}
    </>
  );
}
