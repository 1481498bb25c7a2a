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
 * The only import of oidc-provider. On Node.js 20 the package prints a warning when it is imported, because it
 * recommends 22. A service must print only its log, so the warning is suppressed; docs/adr/0008 documents this.
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
