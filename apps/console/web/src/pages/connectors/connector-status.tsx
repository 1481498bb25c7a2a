import type { Connector } from '../../api/types.ts';
import { Status } from '../../design/status.tsx';
import { t } from '../../text/en.ts';

/** A word that shows whether calls can succeed. */
export function ConnectorStatus({
  connector,
  filled,
}: {
  readonly connector: Connector;
  readonly filled?: boolean;
}) {
  const { enabled, status, last_error: error } = connector;
  const rest = filled === undefined ? {} : { filled };
  if (!enabled)
    return (
      <Status tone="neutral" {...rest}>
        {t.connectors.disabled}
      </Status>
    );
  if (status === 'ready')
    return (
      <Status tone="allowed" {...rest}>
        {t.connectors.ready}
      </Status>
    );
  if (status === 'pending')
    return (
      <Status tone="waiting" {...rest}>
        {t.connectors.pending}
      </Status>
    );
  return (
    <Status tone="warning" {...rest}>
      {t.connectors.error(error?.code)}
    </Status>
  );
}

/** Returns an address without its scheme if that is https, as for all addresses except local ones. */
export const shortAddress = (address: string): string => address.replace(/^https:\/\//, '');
