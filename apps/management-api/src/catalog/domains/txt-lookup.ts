import { Resolver } from 'node:dns/promises';

/** Time limit of one query to one server */
const TIMEOUT_MS = 2000;
const TRIES = 2;
/** Total time of all attempts with all servers, in multiples of the timeout; the second attempt waits longer. */
const TIMEOUTS_IN_ALL = 3;

/** Responses which prove that the record does not exist; all others prove nothing about the domain. */
const ABSENT: readonly unknown[] = ['ENOTFOUND', 'ENODATA'];

/** The DNS did not respond, or responded with an error; the record may exist. */
export class DnsUnavailable extends Error {
  override readonly name = 'DnsUnavailable';
  constructor(cause: unknown) {
    super('the DNS cannot be asked', { cause });
  }
}

/**
 * Returns the TXT records at a name, each as one text (RFC 7208 §3.3 joins the strings of a record the same way). Empty
 * if there are none. Follows a CNAME.
 * @throws {DnsUnavailable}
 */
export type TxtLookup = (name: string) => Promise<readonly string[]>;

/**
 * @param options.servers `address` or `address:port`; undefined: the servers of the operating system
 * @param options.timeoutMs default 2000; the total is limited to three times as long
 */
export function createTxtLookup(options: {
  servers: readonly string[] | undefined;
  timeoutMs?: number;
}): TxtLookup {
  const { servers, timeoutMs = TIMEOUT_MS } = options;
  return async (name) => {
    // A new resolver for each query: a resolver may cache responses, and its servers may have changed.
    const resolver = new Resolver({ timeout: timeoutMs, tries: TRIES });
    if (servers) resolver.setServers(servers);
    const deadline = setTimeout(() => resolver.cancel(), timeoutMs * TIMEOUTS_IN_ALL);
    try {
      const records = await resolver.resolveTxt(name);
      return records.map((strings) => strings.join(''));
    } catch (err) {
      if (ABSENT.includes(codeOf(err))) return [];
      throw new DnsUnavailable(err);
    } finally {
      clearTimeout(deadline);
    }
  };
}

const codeOf = (err: unknown): unknown =>
  typeof err === 'object' && err !== null && 'code' in err ? err.code : undefined;

/** @throws {TypeError} for an invalid address of a server */
export function checkDnsServers(servers: readonly string[]): void {
  new Resolver().setServers(servers);
}
