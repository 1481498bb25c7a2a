import { t } from '../../text/en.ts';
import { isLegacy, methodsUsed, type UsedMethods } from './methods.ts';

interface Values extends UsedMethods {
  readonly name: string;
  readonly resource_url: string;
  readonly acknowledge_legacy: boolean;
}

/** Returns the errors of fields that every connector requires. */
export const missingOfAny = ({ name, resource_url: address, acknowledge_legacy, ...methods }: Values) => ({
  ...(address.trim() === '' && { resource_url: t.connectors.addressMissing }),
  ...(name.trim() === '' && { name: t.connectors.nameMissing }),
  ...(methodsUsed(methods).some(isLegacy) &&
    !acknowledge_legacy && { acknowledge_legacy: t.connectors.legacyMissing }),
});
