import { afterAll, beforeAll, expect } from '@jest/globals';
import { needs } from '@legate/testing';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { exceptedAt, PASSED_DIRECTLY, readExceptions } from './exceptions.ts';
import { type HubUnderConformance, startHubUnderConformance } from './hub-under-conformance.ts';
import { type Outcomes, runServerScenarios } from './suite.ts';

/**
 * Runs the official conformance suite against a tool server and against the built hub in front of it, and compares each
 * check.
 */

const { describe, it } = needs('time');
let hub: HubUnderConformance;
beforeAll(async () => {
  hub = await startHubUnderConformance();
});
afterAll(() => hub?.stop());

const passedIn = (outcomes: Outcomes): string[] =>
  [...outcomes].filter(([, { status }]) => status === 'SUCCESS').map(([check]) => check);
const failedIn = (outcomes: Outcomes): string[] =>
  [...outcomes]
    .filter(([, { status }]) => !['SUCCESS', 'INFO'].includes(status))
    .map(([check, { errorMessage }]) => `${check}: ${errorMessage}`);

describe.each(PASSED_DIRECTLY)('the conformance suite at revision %s', (revision, checks) => {
  let direct: Outcomes;

  it('passes at the tool server itself', async () => {
    direct = await runServerScenarios(hub.directUrl, revision);
    expect(failedIn(direct)).toEqual([]);
    expect(passedIn(direct)).toHaveLength(checks);
  });

  it('fails at the hub only the checks that are listed as exceptions', async () => {
    const passed = new Set(passedIn(await runServerScenarios(hub.hubUrl, revision)));
    const lost = passedIn(direct).filter((check) => !passed.has(check));
    expect(lost.sort()).toEqual(exceptedAt(await readExceptions(), revision).sort());
  });
});

it.each(['auto', 'legacy'] as const)(
  'is the same server to a client of the official SDK, directly and through the hub (%s)',
  async (mode) => {
    const describedAt = async (url: string) => {
      const client = new Client({ name: 'agent', version: '1' }, { versionNegotiation: { mode } });
      await client.connect(new StreamableHTTPClientTransport(new URL(url)));
      const described = [client.getServerVersion(), client.getInstructions()];
      await client.close();
      return described;
    };
    const direct = await describedAt(hub.directUrl);
    expect(direct).toEqual([{ name: 'everything', version: '1.0.0' }, 'Has one of everything.']);
    expect(await describedAt(hub.hubUrl)).toEqual(direct);
  },
);
