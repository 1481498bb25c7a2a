import { targetOf } from '@legate/doctor';
import {
  findDocument,
  isSameResource,
  ProtectedResourceMetadata,
  resourceMetadataUrls,
  shown,
} from '@legate/oauth';
import { member } from '../demo/http.ts';
import { ask } from './ask.ts';

/**
 * Reads the metadata of a tool server, at the addresses at which the doctor looks for it.
 * @param url of the tool server: its resource identifier or its MCP endpoint
 * @throws {Error} if there is none, or if it is that of another resource (RFC 9728 §3.3)
 */
export async function readMetadata(url: string): Promise<ProtectedResourceMetadata> {
  const { resources } = targetOf(url);
  const places = [...new Set(resources.flatMap(resourceMetadataUrls))];
  const found = await findDocument(
    places,
    (place) => ask('Is the tool server running?', 'GET', place),
    ({ status, answer }) => (status === 200 && member(answer, 'resource') === undefined ? 'page' : status),
  );
  const metadata = ProtectedResourceMetadata.safeParse(found?.answer).data;
  if (found?.status !== 200 || !metadata)
    throw new Error(
      `Nothing is registered: ${url} does not publish the metadata of a tool server (RFC 9728). Correct the address, or see what is missing: npm run doctor -- ${url}`,
    );
  if (!resources.some((configured) => isSameResource({ presented: metadata.resource, configured })))
    throw new Error(anotherResource(url, found.url, shown(metadata.resource)));
  return metadata;
}

const anotherResource = (typed: string, metadataUrl: string, resource: string): string =>
  `Nothing is registered: the metadata of the tool server names another address than the one typed.
  ${metadataUrl} has: "resource": "${resource}"
  Typed: ${typed}
If the address is right, set \`resource\` in the tool server to ${typed.replace(/(\/mcp)?\/?$/, '')} and restart it.
If \`resource\` is right, register the tool server by it: npm run register -- ${resource}`;
