import { commaSeparated } from '@legate/service';
import { z } from 'zod';

export const CLIENT_WAYS = ['registered', 'documents', 'dynamic'] as const;

/** Schemes that browsers handle themselves. A redirect to one would reveal the code to a page or a stranger. */
const BROWSER_SCHEMES = new Set(
  'http https ws wss ftp file filesystem blob data javascript vbscript about chrome view-source mailto tel sms'.split(
    ' ',
  ),
);

/** `scheme://host`, optionally with a path, or `scheme:/path` */
const NATIVE_ADDRESS =
  /^([a-z][a-z0-9+.-]*):(\/\/[A-Za-z0-9][A-Za-z0-9._~-]*(\/[A-Za-z0-9._~/-]*)?|\/[A-Za-z0-9._~-][A-Za-z0-9._~/-]*)$/;

const NativeAddress = z
  .string()
  .regex(NATIVE_ADDRESS, {
    error:
      'must be an address with a path or host, such as cursor://anysphere.cursor-mcp/oauth/ or com.example.app:/signed-in, and not a scheme alone, such as cursor',
  })
  .refine((address) => !/\/\.{1,2}(\/|$)/.test(address), { error: 'must not contain . or .. in its path' })
  .refine((address) => !BROWSER_SCHEMES.has(NATIVE_ADDRESS.exec(address)?.[1] ?? ''), {
    error: 'must have the scheme of a native app, not one that browsers handle themselves',
  });

/** Settings for clients of the hub's authorization server */
export const clientsEnvironment = {
  CLIENT_REGISTRATION: commaSeparated
    .pipe(z.array(z.enum(CLIENT_WAYS)).min(1))
    .default(['registered', 'documents'])
    .meta({
      description:
        'Which MCP clients users may sign in with, separated by commas: `registered` in a file, described by `documents` at their own https address (Client ID Metadata Documents), or `dynamic` ones that register themselves (RFC 7591).',
      when: 'Operators whose users have clients that can only register themselves, or who allow only registered clients.',
      example: 'registered,documents,dynamic',
    }),
  CLIENTS_FILE: z.string().min(1).optional().meta({
    description: 'JSON file that lists the registered MCP clients.',
    when: 'Operators who register MCP clients themselves.',
    example: '/etc/legate/clients.json',
  }),
  CLIENT_DOCUMENT_HOSTS: commaSeparated
    .pipe(
      z.array(z.string().regex(/^[a-z0-9.-]+(:\d{1,5})?$/, { error: 'must be a host, such as vscode.dev' })),
    )
    .optional()
    .meta({
      description: 'Hosts whose client documents are accepted, separated by commas. Unset: any.',
      when: 'Operators who allow only certain MCP clients.',
      example: 'claude.ai,vscode.dev',
    }),
  NATIVE_REDIRECT_SCHEMES: commaSeparated
    .pipe(z.array(NativeAddress))
    .default(['cursor://anysphere.cursor-mcp/oauth/'])
    .meta({
      description:
        'Addresses below which redirect URIs open programs on a user’s computer (RFC 8252 §7.1), separated by commas: scheme, host and path, or scheme and path. A scheme alone is refused, because programs use other addresses in it for other purposes, such as installing extensions.',
      when: 'Operators whose users have a desktop client with a scheme of its own.',
      example: 'cursor://anysphere.cursor-mcp/oauth/,com.example.app:/signed-in',
    }),
};

export type ClientsSettings = Readonly<z.output<z.ZodObject<typeof clientsEnvironment>>>;
