import type { ServerResponse } from 'node:http';

/**
 * The status that the caller was sent. Of one who went away before that Node would say 200: it is told as 499, as proxies
 * have it, unless the request was refused already.
 */
export const answeredStatus = ({ headersSent, statusCode }: ServerResponse): number =>
  headersSent || statusCode >= 400 ? statusCode : 499;
