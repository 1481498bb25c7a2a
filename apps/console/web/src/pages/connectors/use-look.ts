import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { api, hub } from '../../api/client.ts';
import type { DoctorReport } from '../../api/types.ts';
import { type Addresses, addressesOf } from './identifier-of.ts';

interface Looked {
  readonly resource_url: string;
  readonly issuer?: string;
}

/** Has the hub look at an address that is no connector yet: once for each, because there are six a minute. */
export function useLook() {
  const looking = useRef<Promise<Pick<DoctorReport, 'checks'> | undefined>>(undefined);
  const { mutateAsync, ...look } = useMutation({
    mutationFn: async (body: Looked) =>
      (await api.send<Pick<DoctorReport, 'checks'>>(hub('/doctor'), { method: 'POST', body })).data,
  });
  const again = (body: Looked) => {
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
    /** What a connector for this address needs; waits for a look that is under way. */
    addressesOf: async (address: string): Promise<Addresses> =>
      addressesOf(address, (await looking.current)?.checks),
  };
}
