import { useMutation } from '@tanstack/react-query';
import { api, hub } from '../../api/client.ts';
import { safeHref } from '../../untrusted/safe-href.ts';

/** Where the hub sends the browser back to; it knows this address by its `RETURN_TO`, letter for letter. */
const RETURN_TO = '/me/accounts';

/** Leads the reader to where they connect their account at a tool server, and back to the page of their accounts. */
export const useConnectAccount = (connectorId: string) =>
  useMutation({
    mutationFn: async () => {
      const path = hub(`/connectors/${encodeURIComponent(connectorId)}/connections`);
      const body = { return_to: `${window.location.origin}${RETURN_TO}` };
      const { data } = await api.send<{ readonly authorize_url: string }>(path, { method: 'POST', body });
      const address = safeHref(data.authorize_url);
      if (address) window.location.assign(address);
    },
  });
