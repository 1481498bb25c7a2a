export { shareWhileRunning } from './share-while-running.ts';
export { createSingleFlight, type SingleFlight } from './single-flight.ts';
export { unlessAborted } from './unless-aborted.ts';
