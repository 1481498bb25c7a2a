import type { ServerResponse } from 'node:http';

/** Written out here because some pages are sent by Koa and some by Express. */
const HEADERS: Readonly<Record<string, string>> = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  Pragma: 'no-cache',
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
  'X-Content-Type-Options': 'nosniff',
  // An application may open the sign-in page in a popup and wait for it; separating the two would break that.
  'Cross-Origin-Opener-Policy': 'unsafe-none',
};

export function contentSecurityPolicy(formAction: readonly string[]): string {
  return [
    "default-src 'none'",
    "style-src 'self'",
    'img-src data:',
    `form-action ${formAction.join(' ')}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
}

/** Returns the headers of a page whose forms may target the given sources. */
export function pageHeaders(formAction: readonly string[]): Record<string, string> {
  return { ...HEADERS, 'Content-Security-Policy': contentSecurityPolicy(formAction) };
}

export function sendPage(
  res: ServerResponse,
  status: number,
  page: string,
  formAction: readonly string[] = ["'none'"],
): void {
  res.writeHead(status, pageHeaders(formAction)).end(page);
}
