import type { ServerResponse } from 'node:http';

/**
 * Returns the status that was sent to the caller. If the caller left before the response, Node reports 200; this
 * returns 499 as proxies do, unless the request had been refused already.
 */
export const answeredStatus = ({ headersSent, statusCode }: ServerResponse): number =>
  headersSent || statusCode >= 400 ? statusCode : 499;
