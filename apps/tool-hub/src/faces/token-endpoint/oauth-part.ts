import type { FormParameters } from '@legate/oauth';
import type { Request, Response } from 'express';

/** @throws {OAuthError} */
export type AnswerGrant = (req: Request, res: Response, form: FormParameters) => Promise<void>;

/** Public keys of all that the hub signs */
export const JWKS_PATH = '/.well-known/jwks.json';

/** What a feature contributes to the hub as an authorization server. */
export interface OAuthPart {
  /** Handlers of token requests by `grant_type` */
  readonly grants: ReadonlyMap<string, AnswerGrant>;
  /** Members of the metadata document (RFC 8414 §2); lists are merged */
  readonly metadata: Readonly<Record<string, string | boolean | readonly string[]>>;
  /** Returns true for a form with a code or token that the hub has given to that client. */
  readonly isKnown?: (form: FormParameters, client: string | undefined) => Promise<boolean>;
  /** Public keys of what it signs, the same in all parts */
  readonly jwks?: () => object;
}
