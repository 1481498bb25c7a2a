export * from './event-stream.ts';
export { decodeHeaderValue, encodeHeaderValue, isHeaderValue } from './header-value.ts';
export * from './json-rpc.ts';
export * from './message.ts';
export * from './param-headers.ts';
export * from './revisions.ts';
