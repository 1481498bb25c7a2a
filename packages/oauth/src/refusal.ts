import { OAuthError, PUBLIC_TEXT } from './errors.ts';
import { NO_STORE } from './token-request.ts';

/** The logger for refusals, such as one of pino. */
export interface OAuthLog {
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** The response to an error, for any HTTP framework. */
export interface RefusalAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: { readonly error: string; readonly error_description?: string };
}

/**
 * Turns an error into the response of an OAuth endpoint (RFC 6749 §5.2), and logs it. Nothing else should do this.
 * @param fields go into the log line, such as `request_id`
 */
export function answerRefusal(log: OAuthLog, err: unknown, fields: object = {}): RefusalAnswer {
  if (!(err instanceof OAuthError)) {
    log.error({ err }, 'oauth request failed');
    return { status: 500, headers: NO_STORE, body: { error: 'server_error' } }; // without details
  }
  const { code, reason, status } = err;
  // The cause of an outage is logged, because the operator has to fix it. A refusal is for the caller to fix.
  if (status >= 500) log.error({ code, reason, ...fields, err }, 'oauth request without a response');
  else log.info({ code, reason, ...fields }, 'oauth request refused');
  return {
    status,
    headers: { ...NO_STORE, ...(status === 503 && { 'Retry-After': '5' }), ...err.headers },
    body: { error: code, error_description: PUBLIC_TEXT[code] },
  };
}
