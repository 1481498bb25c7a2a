import type { AuthMethod } from '@legate/delegation/methods';
import type { Connector } from '../../api/types.ts';
import { Select } from '../../design/inputs.tsx';
import type { FieldBinding } from '../../forms/use-form.ts';
import { t } from '../../text/en.ts';
import { fallbackOf, isService, methodOptions, type UsedMethods } from './methods.ts';

interface FallbackFieldsProps extends Omit<FieldBinding<readonly AuthMethod[]>, 'value'> {
  readonly connector: Connector;
  readonly values: UsedMethods;
}

/** The fallback methods of the connector, in order: a field for each, and one to add another. */
export function FallbackFields({ connector, values, name, error, onChange }: FallbackFieldsProps) {
  const chosen: readonly AuthMethod[] = fallbackOf(values);
  const options = methodOptions(
    (facts) =>
      facts.isFallback &&
      facts.name !== values.auth_method &&
      (!isService(facts) || connector.fallback.includes(facts.name)),
  );
  const names = options.map((_, index) => (index === 0 ? name : `${name}-${index}`));
  return names.slice(0, chosen.length + 1).map((each, index) => {
    const current = chosen[index] ?? '';
    const free = options.filter(({ value }) => value === current || !chosen.includes(value));
    return (
      <Select
        key={each}
        name={each}
        label={index === 0 ? t.connectors.fallback : t.connectors.furtherFallback}
        hint={index === 0 ? t.connectors.fallbackHint : undefined}
        error={index === 0 ? error : undefined}
        required={false}
        options={[{ value: '', label: t.common.none }, ...free]}
        value={current}
        onChange={(next) => onChange(chosen.toSpliced(index, 1, ...(next === '' ? [] : [next])))}
      />
    );
  });
}
