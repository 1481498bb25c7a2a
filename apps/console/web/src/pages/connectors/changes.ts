import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api, management } from '../../api/client.ts';
import type { Send } from '../../api/create-api.ts';
import { toast } from '../../design/toast.tsx';
import { t } from '../../text/en.ts';

const refresh = (client: QueryClient) => client.invalidateQueries({ queryKey: ['api'] });

/** Changes a connector, and reloads what is on the page. */
export function useConnectorChange(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ path = '', ...send }: Send & { readonly path?: string }) =>
      api.send(management(`/connectors/${id}${path}`), send),
    onSuccess: () => refresh(client),
  });
}

/** Deletes a connector; the message that reports it offers to restore it. */
export function useDeleteConnector(id: string) {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () => api.send(management(`/connectors/${id}`), { method: 'DELETE' }),
    onSuccess: async () => {
      // Leaves the page first, because it would request the deleted connector again.
      await navigate({ to: '/connectors' });
      await refresh(client);
      const restore = async () => {
        await api.send(management(`/connectors/${id}/restore`), { method: 'POST' });
        await refresh(client);
      };
      toast(t.connectors.deleted, { label: t.common.undo, run: () => void restore() });
    },
  });
}
