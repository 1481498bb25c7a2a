import { t } from '../../text/en.ts';
import { asksExchange, type ExchangeValues, isSharedAudience } from './exchange-audience.ts';
import { isLegacy, methodsUsed } from './methods.ts';

interface Values extends ExchangeValues {
  readonly name: string;
  readonly acknowledge_legacy: boolean;
}

/** Returns the errors of fields that every connector requires. */
export const missingOfAny = ({ name, acknowledge_legacy, ...values }: Values) => ({
  ...missingOfExchange(values),
  ...(values.resource_url.trim() === '' && { resource_url: t.connectors.addressMissing }),
  ...(name.trim() === '' && { name: t.connectors.nameMissing }),
  ...(methodsUsed(values).some(isLegacy) &&
    !acknowledge_legacy && { acknowledge_legacy: t.connectors.legacyMissing }),
});

const missingOfExchange = (values: ExchangeValues) =>
  asksExchange(values) && {
    ...(values.exchange_audience.trim() === '' && {
      exchange_audience: t.connectors.exchangeAudienceMissing,
    }),
    ...(isSharedAudience(values) &&
      !values.acknowledge_shared_audience && {
        acknowledge_shared_audience: t.connectors.sharedAudienceMissing,
      }),
  };
