export { isFragmented } from './is-fragmented.ts';
export { ByteLimitExceeded, readBytes } from './read-bytes.ts';
