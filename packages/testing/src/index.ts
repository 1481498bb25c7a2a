export { eventually, type Patience, START_UP_MS } from './eventually.ts';
export { createKeyPair, createPrivateJwk } from './key-pair.ts';
export { type Need, needs, type Tests } from './needs.ts';
export { PROGRAMS } from './programs.js';
export { runs } from './property-runs.ts';
export { addUp, closingLines, isGood, type JestResults, type Sum } from './results.ts';
