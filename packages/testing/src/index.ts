export { needs, type Tests } from './needs.ts';
export { type Need, OLDEST_KUBECTL, PROGRAMS } from './programs.ts';
