import { commaSeparated } from '@legate/service';
import { z } from 'zod';

export const CLIENT_WAYS = ['registered', 'documents', 'dynamic'] as const;

/** Schemes that a browser shows, runs or fetches itself: a redirect there would hand the code to a page or a stranger. */
const BROWSER_SCHEMES = new Set(
  'http https ws wss ftp file filesystem blob data javascript vbscript about chrome view-source mailto tel sms'.split(
    ' ',
  ),
);

/** Settings of clients of the hub's authorization server */
export const clientsEnvironment = {
  CLIENT_REGISTRATION: commaSeparated
    .pipe(z.array(z.enum(CLIENT_WAYS)).min(1))
    .default(['registered', 'documents'])
    .meta({
      description:
        'Which MCP clients users may sign in with, separated by commas: `registered` in a file, described by `documents` at their own https address (Client ID Metadata Documents), or `dynamic` ones that register themselves (RFC 7591).',
      when: 'Operators whose users have clients that can only register themselves, and those who allow none but registered ones.',
      example: 'registered,documents,dynamic',
    }),
  CLIENTS_FILE: z.string().min(1).optional().meta({
    description: 'JSON file that lists the registered MCP clients.',
    when: 'Operators with MCP clients of their own.',
    example: '/etc/legate/clients.json',
  }),
  CLIENT_DOCUMENT_HOSTS: commaSeparated
    .pipe(
      z.array(z.string().regex(/^[a-z0-9.-]+(:\d{1,5})?$/, { error: 'must be a host, such as vscode.dev' })),
    )
    .optional()
    .meta({
      description: 'Hosts whose client documents are accepted, separated by commas. Unset: any.',
      when: 'Operators who allow certain MCP clients only.',
      example: 'claude.ai,vscode.dev',
    }),
  NATIVE_REDIRECT_SCHEMES: commaSeparated
    .pipe(
      z.array(
        z
          .string()
          .regex(/^[a-z][a-z0-9+.-]*$/, { error: 'must be a scheme, such as cursor' })
          .refine((scheme) => !BROWSER_SCHEMES.has(scheme), {
            error: 'must be a scheme of a program, and none that a browser follows by itself',
          }),
      ),
    )
    .default(['cursor'])
    .meta({
      description:
        'Schemes of redirect URIs by which programs on a user’s computer are opened (RFC 8252 §7.1), separated by commas.',
      when: 'Operators whose users have a desktop client with a scheme of its own.',
      example: 'cursor,com.example.app',
    }),
};
