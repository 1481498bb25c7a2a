import type { Connector } from '../../api/types.ts';
import { t } from '../../text/en.ts';
import { methodFacts } from './methods.ts';

interface Values {
  readonly name: string;
  readonly resource_url: string;
  readonly auth_method: Connector['auth_method'];
  readonly acknowledge_legacy: boolean;
}

/** Returns the errors of fields that no connector can do without. */
export const missingOfAny = ({
  name,
  resource_url: address,
  auth_method: method,
  acknowledge_legacy,
}: Values) => ({
  ...(address.trim() === '' && { resource_url: t.connectors.addressMissing }),
  ...(name.trim() === '' && { name: t.connectors.nameMissing }),
  ...(methodFacts(method).isLegacy &&
    !acknowledge_legacy && { acknowledge_legacy: t.connectors.legacyMissing }),
});
