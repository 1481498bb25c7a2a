import type { RequestHandler } from 'express';
import { problem } from '../domain/problem-codes.ts';

/** Paths for navigations and for the identity provider, which cannot send our header. */
const OTHERS = /^\/(?:sign-in|callback|backchannel-logout)\/?$/i;

/**
 * Refuses requests that no page of the console has sent: another site cannot set our header without a CORS
 * preflight, which fails. The cookie's `SameSite` does not suffice on localhost, where all ports belong to
 * one site.
 * @see Cross-Site Request Forgery Prevention, OWASP: custom headers, and Fetch Metadata
 */
export function fromConsole(publicUrl: string): RequestHandler {
  return (req, res, next) => {
    res.set('Cache-Control', 'no-store');
    if (OTHERS.test(req.path)) return next();
    const { origin, 'sec-fetch-site': site } = req.headers;
    const isRead = req.method === 'GET' || req.method === 'HEAD';
    const faults = [
      ...(req.headers['legate-console'] === '1' ? [] : ['the header Legate-Console']),
      ...((isRead && origin === undefined) || origin === publicUrl ? [] : ['Origin']),
      ...(site === undefined || site === 'same-origin' ? [] : ['Sec-Fetch-Site']),
    ];
    if (faults.length === 0) return next();
    throw problem('request_not_from_console', { detail: `Missing or wrong: ${faults.join(', ')}.` });
  };
}
