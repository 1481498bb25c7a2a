import { createHash } from 'node:crypto';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { RequestHandler } from 'express';
import helmet, { type HelmetOptions } from 'helmet';

/** Sets the headers of responses that are data: nothing in them may run, be framed, or be sniffed as another type. */
export function apiSecurityHeaders(): RequestHandler {
  return fixedHeaders({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    referrerPolicy: { policy: 'no-referrer' },
    strictTransportSecurity: { maxAge: 63_072_000, includeSubDomains: true },
    // These headers concern pages, and such a response never is one.
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  });
}

/**
 * Sets the headers of server-rendered pages with forms: own style sheets only, no script, no framing.
 * @param options.inlineStyle text of the one style element that a browser may apply (CSP Level 3 §2.3.1, by its hash)
 */
export function pageSecurityHeaders(options: {
  formAction: readonly string[];
  inlineStyle?: string;
}): RequestHandler {
  const { inlineStyle } = options;
  const hashes =
    inlineStyle === undefined
      ? []
      : [`'sha256-${createHash('sha256').update(inlineStyle).digest('base64')}'`];
  return fixedHeaders({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        styleSrc: ["'self'", ...hashes],
        imgSrc: ["'self'", 'data:'],
        formAction: [...options.formAction],
        frameAncestors: ["'none'"],
        baseUri: ["'none'"],
      },
    },
    referrerPolicy: { policy: 'no-referrer' },
    strictTransportSecurity: { maxAge: 63_072_000, includeSubDomains: true },
  });
}

/**
 * Features of browsers that the console does not use; named one by one, since there is no word for all. Those that Chromium
 * does not know are left out: it writes an error for each to its console.
 */
const SWITCHED_OFF = [
  'accelerometer',
  'autoplay',
  'camera',
  'display-capture',
  'encrypted-media',
  'fullscreen',
  'geolocation',
  'gyroscope',
  'hid',
  'idle-detection',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'picture-in-picture',
  'publickey-credentials-create',
  'publickey-credentials-get',
  'screen-wake-lock',
  'serial',
  'usb',
  'xr-spatial-tracking',
];

/**
 * Sets the headers of the console, a page whose scripts and styles are files: none in the page itself, nothing from another
 * origin, no form, no framing, and no text that becomes script (Trusted Types).
 */
export function consoleHeaders(): RequestHandler {
  return fixedHeaders(
    {
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: ["'none'"],
          scriptSrc: ["'self'"],
          styleSrc: ["'self'"],
          imgSrc: ["'self'", 'data:'],
          connectSrc: ["'self'"],
          manifestSrc: ["'self'"],
          baseUri: ["'none'"],
          formAction: ["'none'"],
          frameAncestors: ["'none'"],
          requireTrustedTypesFor: ["'script'"],
          trustedTypes: ["'none'"],
        },
      },
      referrerPolicy: { policy: 'no-referrer' },
      frameguard: { action: 'deny' },
      crossOriginOpenerPolicy: { policy: 'same-origin' },
      crossOriginResourcePolicy: { policy: 'same-origin' },
      strictTransportSecurity: { maxAge: 63_072_000, includeSubDomains: true },
    },
    { 'Permissions-Policy': SWITCHED_OFF.map((feature) => `${feature}=()`).join(', ') },
  );
}

/**
 * Runs Helmet once to get its headers: none depends on the request, and its chain of a dozen middlewares costs more
 * than most of what a request does.
 */
function fixedHeaders(options: HelmetOptions, more: Record<string, string> = {}): RequestHandler {
  const req = new IncomingMessage(new Socket());
  const res = new ServerResponse(req);
  helmet(options)(req, res, (err) => {
    if (err) throw err;
  });
  const headers = Object.entries({ ...res.getHeaders(), ...more }).map(([name, value]): [string, string] => [
    name,
    String(value),
  ]);
  return (_req, response, next) => {
    for (const [name, value] of headers) response.setHeader(name, value);
    next();
  };
}
