import type { WorkloadTokens } from './workload-tokens.ts';

/**
 * `fetch` with the token of a workload. After a 401 it repeats the request once with a fresh token: the old one may
 * have been revoked, or its key withdrawn.
 * @throws {WorkloadTokenUnavailable} and what `fetch` throws
 */
export function createWorkloadFetch(deps: {
  tokens: WorkloadTokens;
  /** `fetch` of the guarded HTTP client */
  fetch: typeof globalThis.fetch;
}): (
  url: string,
  init?: { method?: string; headers?: Record<string, string>; body?: string },
) => Promise<Response> {
  return async (url, init = {}) => {
    const send = (token: string) =>
      deps.fetch(url, { ...init, headers: { ...init.headers, Authorization: `Bearer ${token}` } });
    const token = await deps.tokens.get();
    const answer = await send(token);
    if (answer.status !== 401) return answer;
    deps.tokens.drop(token);
    return send(await deps.tokens.get());
  };
}
