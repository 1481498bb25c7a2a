import type { Outage } from '@legate/service/outbound';

/** The response of a tool server's MCP endpoint to one request. Reasons are our own words. */
export type McpAnswer =
  /** `json` is the text of the JSON-RPC result, an object; `result` the same, parsed. */
  | { readonly kind: 'result'; readonly json: string; readonly result: Readonly<Record<string, unknown>> }
  /**
   * Revision 2026-07-28: repeat the request with the input that the result asks for. It has the same members as a
   * result.
   */
  | {
      readonly kind: 'input_required';
      readonly json: string;
      readonly result: Readonly<Record<string, unknown>>;
    }
  | {
      readonly kind: 'error';
      /** It has the id of our request. Servers that have not read a request answer it with another id, or none. */
      readonly isOurs: boolean;
      readonly code: number;
      readonly message: string;
      /** JSON text, as it was written; undefined where there is none, or more of it than is passed on */
      readonly data?: string | undefined;
      readonly status: number;
    }
  /**
   * A 401. With `body`, which names what came without a Bearer challenge (`an HTML page`), something else may have answered.
   */
  | { readonly kind: 'unauthorized'; readonly body?: string }
  | { readonly kind: 'insufficient_scope'; readonly scopes: readonly string[] }
  /** `body` is what came, such as `text/plain`; undefined with a Bearer challenge */
  | { readonly kind: 'forbidden'; readonly body?: string }
  /** Refused without a JSON-RPC body: the way older servers treat what they do not know. */
  | {
      readonly kind: 'rejected';
      readonly status: number;
      /** What came instead of a response, such as `an HTML page` */
      readonly body?: string;
    }
  | ({
      readonly kind: 'unavailable';
      readonly reason: string;
      /** The request was not sent. */
      readonly isUnsent?: boolean | undefined;
    } & Outage)
  | { readonly kind: 'unusable'; readonly reason: string };
