import { useQuery } from '@tanstack/react-query';
import { connectorQuery } from '../../api/queries.ts';
import { Checkbox } from '../../design/inputs.tsx';
import { Problem, Skeleton } from '../../design/states.tsx';
import { Revealed } from '../../design/untrusted.tsx';
import { t } from '../../text/en.ts';
import { Choices } from './choices.tsx';

interface ScopePickerProps {
  readonly connectorId: string;
  /** `null`: all scopes of the connector */
  readonly value: readonly string[] | null;
  onChange(scopes: string[] | null): void;
}

/** The scopes of the connector, and scopes of the binding that the connector no longer has, which are not granted. */
export function ScopePicker({ connectorId, value, onChange }: ScopePickerProps) {
  const query = useQuery(connectorQuery(connectorId));
  if (query.isPending) return <Skeleton height="line" />;
  if (query.error) return <Problem problem={query.error} onRetry={() => void query.refetch()} />;
  const { scopes } = query.data.data;
  const gone = (value ?? []).filter((scope) => !scopes.includes(scope));
  const toggle = (scope: string, on: boolean) =>
    onChange(on ? [...(value ?? []), scope] : (value ?? []).filter((other) => other !== scope));
  return (
    <Choices label={t.agents.scopes}>
      <Checkbox
        label={t.agents.allScopes}
        hint={value === null ? t.agents.allScopesHint : undefined}
        value={value === null}
        onChange={(all) => onChange(all ? null : [...scopes])}
      />
      {value !== null &&
        [...scopes, ...gone].map((scope) => (
          <Checkbox
            key={scope}
            label={
              <code>
                <Revealed text={scope} />
              </code>
            }
            error={gone.includes(scope) ? t.agents.scopeGone : undefined}
            value={value.includes(scope)}
            onChange={(on) => toggle(scope, on)}
          />
        ))}
    </Choices>
  );
}
