import { expect, it } from '@jest/globals';
import type { Role } from './bench-path.ts';
import { toReport } from './report.ts';
import { renderReportPage } from './report-page.ts';

const measured = (role: Role, cpuMsPerRequest: number, cpuMsPerRequestByRound: number[]) => ({
  role,
  program: `<${role}>`,
  load: '1 connection',
  cpuMsPerRequest,
  requestsPerSecond: 1000,
  p50Ms: 1,
  p99Ms: 2,
  errors: 0,
  firstError: undefined,
  peakMemoryMb: 80,
  cpuMsPerRequestByRound,
  p50MsByRound: cpuMsPerRequestByRound,
  p99MsByRound: [2, 2],
});

const MEASUREMENTS = [
  measured('target', 0.25, [0.2, 0.3]),
  measured('floor', 0.1, [0.1, 0.1]),
  measured('peer', 0.4, [0.4, 0.5]),
];

const page = renderReportPage({
  at: '2026-11-25T12:00:00.000Z',
  machine: { node: 'v20.20.2', platform: 'linux', cpu: 'A & B', cores: 2 },
  options: { rounds: 2, against: undefined },
  reports: [
    toReport(
      { name: 'a path', peers: [{ program: { name: '<peer>' }, goals: { '1 connection': 0.5 } }] },
      MEASUREMENTS,
    ),
    toReport({ name: 'another path', isFloorBehindTarget: true, peers: [] }, MEASUREMENTS),
  ],
});

it('draws bars and rounds to the scale of their load, and shows whether the goal was reached', () => {
  expect(page).toContain(
    '1 connection: <strong>0.63</strong> × the processor time of &lt;peer&gt;; the goal of 0.50 is missed.',
  );
  const target = /<dd class="target">.*?<\/dd>/s.exec(page)?.[0];
  expect(target).toContain('width: 50.00%');
  expect(target?.match(/left: [\d.]+%/g)).toEqual(['left: 40.00%', 'left: 60.00%']);
});

it('draws what the target adds to calling directly, where the floor is behind it', () => {
  const [without, withIt] = page.split('<section').slice(1);
  expect(without).not.toContain('Added to the time');
  const added = withIt?.match(/<dd class="target">.*?<\/dd>/s)?.[0];
  expect(added?.match(/left: [\d.]+%/g)).toEqual(['left: 50.00%', 'left: 100.00%']);
});

it('escapes all texts, and loads no other files', () => {
  expect(page).not.toContain('<peer>');
  expect(page).toContain('A &amp; B');
  expect(page).not.toMatch(/<script|https?:|url\(|@import/);
});
