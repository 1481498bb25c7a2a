export { ByteCollector } from './byte-collector.ts';
export { type BodyFault, collectBody } from './collect-body.ts';
export { BodyRefused, inOnePiece } from './in-one-piece.ts';
export type { Memory } from './memory.ts';
