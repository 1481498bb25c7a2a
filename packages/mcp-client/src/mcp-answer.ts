import type { Outage } from '@legate/service/outbound';

/** The response of a tool server's MCP endpoint to one request. Reasons are our own words. */
export type McpAnswer =
  /** `json` is the text of the JSON-RPC result, an object; `result` is the parsed object. */
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
      /**
       * True if the error has the id of our request. Servers that could not read a request return another id, or none.
       */
      readonly isOurs: boolean;
      readonly code: number;
      readonly message: string;
      /** The original JSON text; undefined if there is none or it is too long */
      readonly data?: string | undefined;
      readonly status: number;
    }
  /**
   * A 401. `body` describes a body that came without a Bearer challenge, such as `an HTML page`: then something other
   * than the tool server may have sent it.
   */
  | { readonly kind: 'unauthorized'; readonly body?: string }
  | { readonly kind: 'insufficient_scope'; readonly scopes: readonly string[] }
  /** A 403. `body` describes the body, such as `text/plain`; undefined with a Bearer challenge */
  | { readonly kind: 'forbidden'; readonly body?: string }
  /** Refused without a JSON-RPC body, as older servers do with unknown requests. */
  | {
      readonly kind: 'rejected';
      readonly status: number;
      /** Description of the body that came instead of a response, such as `an HTML page` */
      readonly body?: string;
    }
  | ({
      readonly kind: 'unavailable';
      readonly reason: string;
      /** True if the request was not sent. */
      readonly isUnsent?: boolean | undefined;
    } & Outage)
  | { readonly kind: 'unusable'; readonly reason: string };
