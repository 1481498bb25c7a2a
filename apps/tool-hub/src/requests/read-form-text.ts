import { OAuthError } from '@legate/oauth';
import { ByteCollector, inThisRequest, isFragmented, type MemoryBudget } from '@legate/service';
import type { RequestHandler } from 'express';

/** An ID-JAG takes about 1 KB; 64 KB leave room for client assertions and large group lists. */
const MAX_FORM_BYTES = 65_536;

/**
 * Reads the text of a form into `req.body`, from unauthenticated callers. All of them together can use only a small
 * share of the budget, so that strangers cannot take memory from users.
 * @throws {OAuthError} `invalid_request`, or `temporarily_unavailable` if the share is used up
 */
export function readFormText(budget: MemoryBudget): RequestHandler {
  return (req, res, next) => {
    const { 'content-encoding': encoding = 'identity', 'content-length': length } = req.headers;
    if (encoding !== 'identity') throw new OAuthError('invalid_request', 'content encoding', { status: 415 });
    if (Number(length ?? 0) > MAX_FORM_BYTES) throw tooLarge();
    const goOn = inThisRequest((err?: unknown) => next(err)); // a stream calls back outside of it
    const memory = budget.openAnonymous();
    res.once('close', () => memory.close());
    const form = new ByteCollector(memory);
    let chunks = 0;
    let refused: OAuthError | undefined;
    req.on('data', (chunk: Buffer) => {
      if (refused) return; // read to its end without being kept, so that the answer arrives
      chunks += 1;
      if (form.size + chunk.length > MAX_FORM_BYTES || isFragmented(chunks, form.size)) refused = tooLarge();
      else if (!form.add(chunk))
        refused = new OAuthError('temporarily_unavailable', 'no memory left for forms');
      if (refused) form.release();
    });
    req.on('end', () => {
      if (!refused) req.body = form.toBuffer().toString('utf8');
      goOn(refused);
    });
  };
}

const tooLarge = (): OAuthError => new OAuthError('invalid_request', 'form too large', { status: 413 });
