import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { type BodyFault, collectBody } from './collect-body.ts';

type Next = (err?: unknown) => void;

/**
 * The error for a body that was not read, in the form of body-parser: `status`, `type`, and a message that may be
 * shown.
 */
export class BodyRefused extends Error {
  override readonly name = 'BodyRefused';
  readonly expose = true;
  constructor(
    readonly status: number,
    readonly type: string,
    message: string,
  ) {
    super(message);
  }
}

const REFUSALS: Readonly<Record<BodyFault, () => BodyRefused>> = {
  too_large: () => new BodyRefused(413, 'entity.too.large', 'request entity too large'),
  fragmented: () => new BodyRefused(413, 'entity.fragmented', 'request entity in too many small chunks'),
  no_room: () => new BodyRefused(503, 'entity.no.room', 'no memory left for the request'),
  hung_up: () => new BodyRefused(400, 'request.aborted', 'request aborted'),
};

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * Protects a body parser of Express from bodies in many small chunks, each of which it would keep as an object. The
 * body is collected first, and passed to the parser in one piece.
 * @param maxBytes of the body as it is sent, compressed or not
 */
export function inOnePiece<Req extends IncomingMessage & { body?: unknown }, Res extends ServerResponse>(
  maxBytes: number,
  parser: (req: Req, res: Res, next: Next) => void,
): (req: Req, res: Res, next: Next) => void {
  return (req, res, next) => {
    if (!hasBody(req) || req.readableDidRead) return parser(req, res, next);
    collectBody(req, { maxBytes }, (fault, body) => {
      if (fault) return next(REFUSALS[fault]());
      const bytes = body.toBuffer();
      const { headers, method, url } = req;
      const piece = Object.assign(Readable.from([bytes]), { headers, method, url, body: undefined });
      parser(piece as unknown as Req, res, (err) => {
        req.body = piece.body;
        next(err);
      });
    });
  };
}
