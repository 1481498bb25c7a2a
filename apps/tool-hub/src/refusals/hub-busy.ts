import type { Problem } from '@legate/service';
import { CallRefused } from './call-refused.ts';

/** Seconds after which memory is probably free again: most requests take less. */
const RETRY_AFTER_SECONDS = 2;

/** The hub has no memory left for this request, or its caller has used up their share. */
export const hubBusy = (): Problem =>
  new CallRefused({ leg: 'hub', rule: 'memory_exhausted' }, 'hub_busy', {
    detail:
      'The hub has no memory left for this request at the moment, or you use all of your share. Try again.',
    headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
  });
