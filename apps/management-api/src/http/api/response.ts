import type { AnswerOf as AnswerOfAny, SuccessResponses as Responses } from '@legate/operations';

/** Headers that only some responses have, set on `res` by the code that produces them. */
type Sometimes = 'Set-Cookie' | 'Link' | 'Legate-Revocation';

/** Headers of responses, apart from the common ones. */
export type ResponseHeader =
  | 'ETag'
  | 'Location'
  | 'Set-Cookie'
  | 'Content-Security-Policy'
  | 'Content-Disposition'
  | 'Legate-Revocation'
  | 'Link'
  | 'Legate-From';

export type SuccessResponses = Responses<ResponseHeader>;

/** The answer that a declared response requires, including headers. */
export type AnswerOf<Of extends SuccessResponses> = AnswerOfAny<Of, Sometimes>;
