import { commaSeparated, succeeds } from '@legate/service';
import { checkDnsServers } from './txt-lookup.ts';

const dnsServers = commaSeparated.refine(succeeds(checkDnsServers), {
  error: 'must be IP addresses, with a port where it is not 53',
});

export const domainsEnvironment = {
  DNS_SERVERS: dnsServers.optional().meta({
    description:
      'Name servers for the records that prove domains, as `address` or `address:port`, separated by commas. Unset: those of the system.',
    when: 'Operators whose own name servers answer differently from public ones.',
    example: '9.9.9.9',
  }),
};
