import { useMutation } from '@tanstack/react-query';
import { api, hub } from '../../api/client.ts';
import { safeHref } from '../../untrusted/safe-href.ts';
import { leaveFor } from './return-from-connecting.ts';

/** URL to which the hub redirects the browser afterwards; it must be exactly the hub's `RETURN_TO`. */
const RETURN_TO = '/me/accounts';

/**
 * Redirects the reader to connect their account at a tool server.
 * @param isReturning true to return to the connector's tools; otherwise to the page of the reader's accounts
 */
export const useConnectAccount = (connectorId: string, { isReturning = false } = {}) =>
  useMutation({
    mutationFn: async () => {
      const path = hub(`/connectors/${encodeURIComponent(connectorId)}/connections`);
      const body = { return_to: `${window.location.origin}${RETURN_TO}` };
      const { data } = await api.send<{ readonly authorize_url: string }>(path, { method: 'POST', body });
      const address = safeHref(data.authorize_url);
      if (!address) return;
      leaveFor(isReturning ? connectorId : undefined);
      window.location.assign(address);
    },
  });
