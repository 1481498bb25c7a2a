import { member } from '../demo/http.ts';
import type { ServiceUrls } from '../stack/services.ts';
import { askStack, reasonOf } from './ask.ts';

/**
 * Has the hub examine a connector, and try a delegation as the user.
 * @throws {Error} with the faults and their remedies, if there are any
 */
export async function examineConnector(
  urls: ServiceUrls,
  { id, user, idToken }: { readonly id: string; readonly user: string; readonly idToken: string },
): Promise<void> {
  const examined = await askStack(
    'POST',
    `${urls['tool-hub']}/api/v1/connectors/${id}/doctor`,
    {},
    { Authorization: `Bearer ${idToken}` },
  );
  const checks = member(examined.answer, 'checks');
  const faults = Array.isArray(checks)
    ? checks.filter((one) => member(one, 'status') === 'fail').flatMap(linesOf)
    : [`It could not be examined. ${reasonOf(examined)}`];
  if (faults.length === 0) return;
  throw new Error([...faults, `Next: npx legate doctor --connector ${id} --user ${user}`].join('\n'));
}

const OTHER_SECRET =
  'Most likely HUB_SECRET is not the secret that the tool server has for the client tool-hub: repeat npm run register with that one.';

const linesOf = (check: unknown): string[] => {
  const said = (name: string) => String(member(check, name));
  const isSecretRefused =
    said('check') === 'redemption' && member(check, 'evidence', 'error') === 'invalid_client';
  return [
    `It does not work yet. ${said('check')}: ${said('detail')}`,
    `Remedy: ${said('remedy')}`,
    ...(isSecretRefused ? [OTHER_SECRET] : []),
  ];
};
