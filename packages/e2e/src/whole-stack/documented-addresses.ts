import { SERVICE_NAMES } from '@legate/dev';
import type { StackUnderTest } from '../stack-under-test.ts';

const DOCUMENTED_PORTS = {
  'management-api': 4000,
  'tool-hub': 4001,
  'mock-idp': 4002,
  'reference-mcp-server': 4003,
  console: 4004,
};

/** Replaces the addresses of the services in a document by those of the stack. */
export function atStack(stack: StackUnderTest, text: string): string {
  return SERVICE_NAMES.reduce(
    (replaced, service) =>
      replaced.replaceAll(
        new RegExp(`(?:http://)?localhost:${DOCUMENTED_PORTS[service]}`, 'g'),
        stack.urls[service],
      ),
    text,
  );
}
