import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { api, hub } from '../../api/client.ts';
import type { Check, DoctorReport } from '../../api/types.ts';
import { type Addresses, addressesOf } from './findings.ts';

interface Looked {
  readonly resource_url: string;
  readonly issuer?: string;
}

/**
 * Asks the hub to inspect a URL that has no connector yet. Each URL is inspected once, because six
 * inspections a minute are allowed.
 * @param onFound called with the findings
 */
export function useLook(onFound: (checks: readonly Check[]) => void) {
  const looking = useRef<Promise<Pick<DoctorReport, 'checks'> | undefined>>(undefined);
  const latest = useRef<Looked>(undefined);
  const { mutateAsync, ...look } = useMutation({
    mutationFn: async (body: Looked) =>
      (await api.send<Pick<DoctorReport, 'checks'>>(hub('/doctor'), { method: 'POST', body })).data,
    // An answer about an earlier URL may come later.
    onSuccess: ({ checks }, body) => {
      if (body === latest.current) onFound(checks);
    },
  });
  const again = (body: Looked) => {
    latest.current = body;
    looking.current = mutateAsync(body).catch(() => undefined);
  };
  return {
    checks: look.data?.checks,
    isPending: look.isPending,
    problem: look.error,
    at(address: string, issuer: string) {
      if (URL.canParse(address) && look.variables?.resource_url !== address)
        again({ resource_url: address, ...(issuer !== '' && { issuer }) });
    },
    again: () => look.variables && again(look.variables),
    /** Inspects the URL once more, as if this issuer were pinned. */
    trusting: (issuer: string) => look.variables && again({ ...look.variables, issuer }),
    /** The issuer with which the URL was inspected */
    issuer: look.variables?.issuer,
    /** Returns what a connector for this URL needs; waits for an inspection in progress. */
    addressesOf: async (address: string): Promise<Addresses> =>
      addressesOf(address, (await looking.current)?.checks),
  };
}
