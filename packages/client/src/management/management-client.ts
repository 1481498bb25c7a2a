import createFetchClient, { type Client, type Middleware } from 'openapi-fetch';
import { readServerUrl } from '../options.ts';
import { IDEMPOTENT_PATHS } from './idempotent-operations.generated.ts';
import type { components, paths } from './schema.generated.ts';

/** Problem details (RFC 9457): the `error` of a response. Use `code` to distinguish them. */
export type Problem = components['schemas']['Problem'];

export type ManagementClient = Client<paths>;

export interface ManagementOptions {
  /** URL of the management API: https, or http on this computer */
  readonly baseUrl: string;
  /** An access token of the identity provider for this API, or an API key. A function is called for each request. */
  readonly accessToken: string | (() => string | Promise<string>);
  /** Default: the global `fetch` */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/**
 * Creates a client of the management API with the types of its OpenAPI document. A `POST` that has an effect is sent
 * with an `Idempotency-Key`, unless it has one: repeating the request with the same key has no second effect.
 * @throws {TypeError} for an address to which no token should be sent
 */
export function createManagementClient(options: ManagementOptions): ManagementClient {
  const { accessToken, fetch } = options;
  const client = createFetchClient<paths>({
    baseUrl: `${readServerUrl('baseUrl', options.baseUrl)}/api/v1`,
    redirect: 'error',
    ...(fetch && { fetch }),
  });
  const authenticate: Middleware = {
    async onRequest({ request, schemaPath }) {
      const token = typeof accessToken === 'function' ? await accessToken() : accessToken;
      request.headers.set('Authorization', `Bearer ${token}`);
      const takesKey = request.method === 'POST' && IDEMPOTENT_PATHS.has(schemaPath);
      if (takesKey && !request.headers.has('Idempotency-Key'))
        request.headers.set('Idempotency-Key', crypto.randomUUID());
    },
  };
  client.use(authenticate);
  return client;
}
