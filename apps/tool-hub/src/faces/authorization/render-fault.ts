import type { KoaContextWithOIDC } from '@legate/authorization-server';
import type { Request, Response } from 'express';
import { faultPage } from '../pages/fault-page.ts';
import { setPageHeaders } from '../pages/page.ts';
import { PAGE_FAULTS, type PageFaultCode } from '../pages/page-fault.ts';

/** Faults by the error of oidc-provider, if it cannot redirect */
const FAULT_OF: Readonly<Record<string, PageFaultCode>> = {
  invalid_client: 'unknown_client',
  invalid_redirect_uri: 'wrong_redirect',
  temporarily_unavailable: 'unavailable',
  server_error: 'unavailable',
};

/** Shows our own error page instead of oidc-provider's. */
export function renderFault(ctx: KoaContextWithOIDC, error: string): void {
  // oidc-provider resumes by a cookie. Without one, another browser began the authorization, or it has expired.
  const otherwise = ctx.path.startsWith('/oauth/authorize/') ? 'expired' : 'bad_request';
  const code = FAULT_OF[error] ?? otherwise;
  // Express created both objects. Only what they inherit from Node.js is used here.
  setPageHeaders(ctx.req as Request, ctx.res as Response);
  ctx.status = PAGE_FAULTS[code].status;
  ctx.type = 'html';
  ctx.body = faultPage(code);
}
