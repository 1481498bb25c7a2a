import { readFileSync, writeFileSync } from 'node:fs';
import { ROOT } from '@legate/dev';

/**
 * Each document has its own people and organizations, so that its changes (a policy, a member, a cached token) do not
 * disturb another document: `alice@acme.example` is `alice@acme3.example` at the stack, `org_acme` is `org_acme3`.
 */
export interface Cast {
  /** Replaces the document's people by those of the stack. */
  toStack(text: string): string;
  toDocument(text: string): string;
}

export function castOf(number: number | ''): Cast {
  return {
    toStack: (text) =>
      text
        .replace(/\b(user_(?:alice|bob|carol|dave|erin)|org_(?:acme|globex))\b/g, `$1${number}`)
        .replace(/@(acme|globex|newco|initech)\.example/g, `@$1${number}.example`),
    toDocument: (text) =>
      text
        .replace(
          new RegExp(`\\b(user_(?:alice|bob|carol|dave|erin)|org_(?:acme|globex))${number}\\b`, 'g'),
          '$1',
        )
        .replace(new RegExp(`@(acme|globex|newco|initech)${number}\\.example`, 'g'), '@$1.example'),
  };
}

interface Scene {
  users: { id: string; email: string }[];
  organizations: { id: string }[];
  memberships: { user: string; organization: string }[];
}
interface Organizations {
  organizations: { id: string }[];
  connectors: { organization_ids: string[] }[];
}

/** Writes the development scene with further casts. @returns settings for the services */
export function writeScene(folder: string, casts: readonly Cast[]) {
  const read = (name: string): string => readFileSync(`${ROOT}infra/development/${name}`, 'utf8');
  const alsoFor = <Entry>(entries: Entry[]): Entry[] => [
    ...entries,
    ...casts.flatMap((cast) => JSON.parse(cast.toStack(JSON.stringify(entries))) as Entry[]),
  ];
  const scene = JSON.parse(read('identity-provider.json')) as Scene;
  scene.users = alsoFor(scene.users);
  scene.organizations = alsoFor(scene.organizations);
  scene.memberships = alsoFor(scene.memberships);
  const seed = JSON.parse(read('organizations.json')) as Organizations;
  seed.organizations = alsoFor(seed.organizations);
  for (const connector of seed.connectors) connector.organization_ids = alsoFor(connector.organization_ids);
  const write = (name: string, content: unknown): string => {
    writeFileSync(`${folder}/${name}`, JSON.stringify(content));
    return `${folder}/${name}`;
  };
  return {
    'mock-idp': { CONFIG_FILE: write('identity-provider.json', scene) },
    'management-api': { SEED_FILE: write('organizations.json', seed) },
  };
}
