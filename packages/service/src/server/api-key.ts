import { z } from 'zod';

/** Headers that servers do not read as a key, or that intermediaries interpret. */
const RESERVED = [
  /^(?:accept|access-control|content|if|mcp|legate|proxy|sec|transfer|x-forwarded)-/,
  /^(?:accept|baggage|connection|cookie2?|date|expect|forwarded|from|host|keep-alive|last-event-id|origin|range|referer|te)$/,
  /^(?:traceparent|tracestate|trailer|upgrade|user-agent|via|x-http-method-override|x-real-ip|x-request-id)$/,
];

/** Name of the request header for an API key: a token (RFC 9110 §5.1) without another meaning. */
export const apiKeyHeader = z
  .string()
  .max(64)
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]*$/)
  .refine((name) => !RESERVED.some((pattern) => pattern.test(name.toLowerCase())), {
    error: 'is a header with another meaning',
  });

/** Returns true if a key can be sent in a header unchanged (RFC 9110 §5.5, visible ASCII only). */
export const isApiKey = (key: string): boolean => /^[\x21-\x7E]+$/.test(key);
