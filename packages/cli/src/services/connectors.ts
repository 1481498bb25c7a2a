import { CliError } from '../command-line/cli-error.ts';
import { EXIT } from '../command-line/exit-codes.ts';
import type { Hub } from './hub.ts';

/** Identifies a connector: the names of its tools begin with the slug. */
export interface Named {
  readonly id: string;
  readonly slug: string;
}

const PAGE_SIZE = 100;
/** Connectors that an error lists */
const MAX_LISTED = 20;

/** Lists the connectors that the user may use at the hub. */
export async function connectorsAtHub({ request }: Pick<Hub, 'request'>): Promise<readonly Named[]> {
  const connectors: Named[] = [];
  for (;;) {
    const page = Object(
      await request(`/api/v1/connectors?limit=${PAGE_SIZE}&offset=${connectors.length}`, 'GET'),
    );
    const data: unknown[] = Array.isArray(page.data) ? page.data : [];
    connectors.push(...data.map((one) => ({ id: String(Object(one).id), slug: String(Object(one).slug) })));
    if (data.length === 0 || Object(page.pagination).has_more !== true) return connectors;
  }
}

/** @returns undefined if no connector has this id or short name. @throws {CliError} if several have */
export function matchConnector<One extends Named>(
  connectors: readonly One[],
  given: string,
): One | undefined {
  const [found, ...others] = connectors.filter(({ id, slug }) => [id, slug].includes(given));
  if (others.length > 0) throw notOne(`Several connectors have the id or short name ${given}.`, connectors);
  return found;
}

/** @throws {CliError} that lists the connectors, unless exactly one has this id or short name */
export function findConnector<One extends Named>(connectors: readonly One[], given: string): One {
  const found = matchConnector(connectors, given);
  if (!found) throw unknownConnector(connectors, given);
  return found;
}

export const unknownConnector = (connectors: readonly Named[], given: string): CliError =>
  notOne(`No connector has the id or short name ${given}.`, connectors);

function notOne(message: string, connectors: readonly Named[]): CliError {
  const listed = connectors.slice(0, MAX_LISTED).map(({ id, slug }) => `${slug} (${id})`);
  const more = connectors.length - listed.length;
  const all = [...listed, ...(more > 0 ? [`${more} more`] : [])].join(', ');
  return new CliError({
    exitCode: EXIT.usage,
    code: 'connector_not_found',
    message: `${message} ${all === '' ? 'There are no connectors.' : `The connectors are: ${all}.`}`,
    next: 'legate connectors list',
  });
}
