import { readFileSync } from 'node:fs';
import openapiTS, { astToString } from 'openapi-typescript';

/** A file that is made of a document, as it must be */
export interface Generated {
  readonly file: URL;
  readonly text: string;
}

interface Document {
  readonly paths: Readonly<
    Record<string, { readonly post?: { readonly parameters?: readonly { readonly $ref?: string }[] } }>
  >;
}

const note = (service: string): string =>
  `// Made of the OpenAPI document of the ${service} by \`npm run contract\`.\n`;
const NOTE = note('management API');

/** Makes what the client has of the document of the management API. */
export async function generateClient(): Promise<readonly Generated[]> {
  const text = readFileSync(new URL('../documents/management-api.json', import.meta.url), 'utf8');
  const types = astToString(await openapiTS(text));
  const folder = new URL('../../client/src/management/', import.meta.url);
  return [
    { file: new URL('schema.ts', folder), text: `${NOTE}\n${types}` },
    {
      file: new URL('idempotent-operations.ts', folder),
      text: `${NOTE}\n${idempotentOperations(JSON.parse(text))}`,
    },
  ];
}

/** Makes the types that the console has of the document of the hub; those of the management API it has from the client. */
export async function generateConsole(): Promise<readonly Generated[]> {
  const text = readFileSync(new URL('../documents/tool-hub.json', import.meta.url), 'utf8');
  const file = new URL('../../../apps/console/web/src/api/hub-schema.ts', import.meta.url);
  return [{ file, text: `${note('hub')}\n${astToString(await openapiTS(text))}` }];
}

/** The API refuses the header where it would have no effect, so a client must know where that is. */
function idempotentOperations({ paths }: Document): string {
  const header = '#/components/parameters/IdempotencyKey';
  const found = Object.entries(paths).filter(([, { post }]) =>
    post?.parameters?.some(({ $ref }) => $ref === header),
  );
  const lines = found.map(([path]) => `  '${path}',\n`).join('');
  return `/** Paths whose \`POST\` takes an \`Idempotency-Key\` */\nexport const IDEMPOTENT_PATHS: ReadonlySet<string> = new Set([\n${lines}]);\n`;
}
