import type { ManagementClient, pages } from '@legate/client/management';
import type { Context } from '../command-line/command.ts';
import { serviceUrl, withoutSlash } from '../identity/addresses.ts';
import { findIdentity } from '../identity/identity.ts';
import { unreachable } from '../identity/unreachable.ts';
import { problemError } from './problem-error.ts';

const TIME_LIMIT_MS = 30_000;

interface Answer<Data> {
  readonly data?: Data;
  readonly error?: unknown;
  readonly response: Response;
}

export interface ManagementApi {
  readonly client: ManagementClient;
  /** Reads a list page by page. */
  readonly pages: typeof pages;
  /** Returns the data of a response. @throws {CliError} for a problem */
  readonly read: <Data>(answer: Answer<Data>) => Data;
}

/** Creates a client of the management API for the user. @throws {CliError} without a sign-in */
export async function openManagementApi(
  context: Context,
  options: { readonly profile: string | undefined; readonly user?: string | undefined },
): Promise<ManagementApi> {
  const { io } = context;
  const identity = await findIdentity(context, options);
  const baseUrl = withoutSlash(serviceUrl('The management API', identity.api().url));
  const token = await identity.apiToken();
  // Imported only here, so that the help does not wait for it.
  const { createManagementClient, pages } = await import('@legate/client/management');
  const client = createManagementClient({
    baseUrl,
    accessToken: token,
    fetch: (request) =>
      io
        .fetch(
          new Request(request, { signal: AbortSignal.any([io.signal, AbortSignal.timeout(TIME_LIMIT_MS)]) }),
        )
        .catch((cause: unknown) => {
          io.signal.throwIfAborted();
          throw unreachable(context, 'api', identity.api(), { issuer: identity.issuer, cause });
        }),
  });
  return {
    client,
    pages,
    read({ data, error, response }) {
      if (response.ok) return data as NonNullable<typeof data>;
      throw problemError(response.status, error, { context, identity, service: 'api' });
    },
  };
}
