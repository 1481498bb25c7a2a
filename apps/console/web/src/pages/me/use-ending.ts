import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { toast } from '../../design/toast.tsx';

/**
 * Ends the resource at a path: a session, a client's access, an account. The page shows the change only once
 * it has ended.
 */
export function useEnding(path: string, done: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api.send(path, { method: 'DELETE' }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['me'] });
      toast(done);
    },
  });
}
