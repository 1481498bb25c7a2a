import type { FormParameters } from '@legate/oauth';
import type { Request, Response } from 'express';

/** @throws {OAuthError} */
export type AnswerGrant = (req: Request, res: Response, form: FormParameters) => Promise<void>;

/** Public keys of everything that the hub signs */
export const JWKS_PATH = '/.well-known/jwks.json';

/** A feature's contribution to the hub as an authorization server */
export interface OAuthPart {
  /** Handlers of token requests by `grant_type` */
  readonly grants: ReadonlyMap<string, AnswerGrant>;
  /** Members of the metadata document (RFC 8414 §2); lists are merged */
  readonly metadata: Readonly<Record<string, string | boolean | readonly string[]>>;
  /** Returns true for a form with a code or token that the hub has issued to that client. */
  readonly isKnown?: (form: FormParameters, client: string | undefined) => Promise<boolean>;
  /** Public keys of the tokens that the feature signs; the same in all parts */
  readonly jwks?: () => object;
}
