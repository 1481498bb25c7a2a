import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api, management } from '../../api/client.ts';
import type { Send } from '../../api/create-api.ts';
import { toast } from '../../design/toast.tsx';
import { t } from '../../text/en.ts';

const refresh = (client: QueryClient) => client.invalidateQueries({ queryKey: ['api'] });

/** Adds agents to a site and removes them. */
export function useSiteAgents(siteId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...send }: Send & { readonly id: string }) =>
      api.send(management(`/sites/${siteId}/agents/${id}`), send),
    onSuccess: () => refresh(client),
  });
}

/** Deletes a site in the version that was read; the message that reports it offers to restore it. */
export function useDeleteSite(id: string, etag: string | undefined) {
  const client = useQueryClient();
  const navigate = useNavigate();
  return async () => {
    await api.send(management(`/sites/${id}`), { method: 'DELETE', ifMatch: etag });
    // Leaves the page first, because it would request the deleted site again.
    await navigate({ to: '/sites' });
    await refresh(client);
    const restore = async () => {
      await api.send(management(`/sites/${id}/restore`), { method: 'POST' });
      await refresh(client);
    };
    toast(t.sites.deleted, { label: t.common.undo, run: () => void restore() });
  };
}
