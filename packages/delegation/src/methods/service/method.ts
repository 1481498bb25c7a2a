import type { Connector } from '../../domain/connector.ts';
import type { Credential, DelegationMethod } from '../../domain/delegation.ts';
import type { CertificateConnections } from './certificate-connections.ts';
import { service } from './facts.ts';
import type { ServiceSettings } from './settings.ts';

export interface ServiceDependencies {
  certificateConnections: Pick<CertificateConnections, 'of'>;
}

/**
 * Uses the connector's own key or certificate: the tool server learns which service calls, and nothing about the user.
 * No header and no parameter names a user, because the server would take such a name for authenticated.
 */
export function createServiceMethod({
  certificateConnections,
}: ServiceDependencies): DelegationMethod<ServiceSettings> {
  return async (_caller, connector, settings) => {
    const credential = credentialOf(connector, settings);
    return credential === undefined
      ? { outcome: 'misconfigured', by: 'tool_server', reason: 'its client certificate has expired' }
      : { outcome: 'granted', credential };
  };

  /** @returns undefined for a credential that no server would still accept */
  function credentialOf(connector: Connector, { key }: ServiceSettings): Credential | undefined {
    if (key.kind === 'api_key') {
      const { header, value } = key;
      const isBearer = header === 'authorization';
      return {
        kind: 'api_key',
        method: service.name,
        key: value,
        header,
        value: isBearer ? `Bearer ${value}` : value,
      };
    }
    const dispatcher = certificateConnections.of(connector, key);
    return dispatcher && { kind: 'client_certificate', method: service.name, dispatcher };
  }
}
