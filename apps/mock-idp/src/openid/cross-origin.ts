import type { RequestHandler } from 'express';

/**
 * Lets applications in a browser read metadata and redeem codes (RFC 9700 §2.6 requires CORS for browser clients). Any
 * origin is allowed, because these routes use no cookie. Never mount it on the authorization endpoint.
 */
export function allowAnyOrigin(methods: readonly string[]): RequestHandler {
  return (req, res, next) => {
    res.set({ 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': 'WWW-Authenticate' });
    if (req.method !== 'OPTIONS') return next();
    res
      .set({
        'Access-Control-Allow-Methods': methods.join(', '),
        'Access-Control-Allow-Headers':
          'Authorization, Content-Type, MCP-Protocol-Version, traceparent, tracestate',
        'Access-Control-Max-Age': '3600',
      })
      .status(204)
      .end();
  };
}
