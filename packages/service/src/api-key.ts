import { z } from 'zod';

/** What servers read from these is not a key; or it is what other parties in between go by. */
const RESERVED = [
  /^(?:accept|access-control|content|if|mcp|legate|proxy|sec|transfer|x-forwarded)-/,
  /^(?:accept|baggage|connection|cookie2?|date|expect|forwarded|from|host|keep-alive|last-event-id|origin|range|referer|te)$/,
  /^(?:traceparent|tracestate|trailer|upgrade|user-agent|via|x-http-method-override|x-real-ip|x-request-id)$/,
];

/** Name of the request header in which a peer wants an API key: a token (RFC 9110 §5.1), and none with another meaning. */
export const apiKeyHeader = z
  .string()
  .max(64)
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]*$/)
  .refine((name) => !RESERVED.some((pattern) => pattern.test(name.toLowerCase())), {
    error: 'is a header with another meaning',
  });

/** Whether a key can stand in a header as it is (RFC 9110 §5.5, visible ASCII only). */
export const isApiKey = (key: string): boolean => /^[\x21-\x7E]+$/.test(key);
