import type * as Library from 'oidc-provider';

export type {
  Account,
  Adapter,
  AdapterFactory,
  AdapterPayload,
  ClientMetadata,
  Configuration,
  default as OidcProvider,
  InteractionResults,
  KoaContextWithOIDC,
} from 'oidc-provider';

/**
 * The only import of oidc-provider. On Node.js 20 the package says on the console, while it is being imported, that it
 * would rather run on 22; a service writes nothing but its log, and docs/adr/0008 records the fact instead.
 */
async function importQuietly(): Promise<typeof Library> {
  const { warn } = console;
  console.warn = () => {};
  try {
    return await import('oidc-provider');
  } finally {
    console.warn = warn;
  }
}

export const { default: Provider, errors, interactionPolicy } = await importQuietly();
