import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import { needs } from '@legate/testing';
import { parse } from 'yaml';
import { z } from 'zod';
import { readAlerts, readDashboards, readText } from './queries.ts';

/** The alerts have tests, which promtool runs. */

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const TESTS = 'infra/observability/alert-tests';

const AlertTests = z.object({
  tests: z.array(
    z.object({
      alert_rule_test: z.array(
        z.object({ alertname: z.string(), eval_time: z.string(), exp_alerts: z.array(z.unknown()) }),
      ),
    }),
  ),
});
const scenes = readdirSync(`${ROOT}${TESTS}`)
  .flatMap((file) => AlertTests.parse(parse(readText(`${TESTS}/${file}`))).tests)
  .map(({ alert_rule_test }) => alert_rule_test);

it.each(readAlerts().map(({ alert }) => [alert]))(
  '%s has a test in which it is silent, fires, and is silent again',
  (alert) => {
    const courses = scenes.map((scene) =>
      scene
        .filter(({ alertname }) => alertname === alert)
        .map(({ exp_alerts }) => (exp_alerts.length > 0 ? 'fires' : 'silent'))
        .filter((state, i, all) => state !== all[i - 1]),
    );
    expect(courses).toContainEqual(['silent', 'fires', 'silent']);
  },
);

it('shows only our alerts on the overview', () => {
  const panels = readDashboards().flatMap((dashboard) => dashboard.panels);
  const exprs = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  const [, names = ''] = /ALERTS\{.*alertname=~"([^"]*)"/.exec(exprs.join('\n')) ?? [];
  expect(names.split('|')).toEqual(readAlerts().map(({ alert }) => alert));
});

const onPrometheus = needs('night', 'promtool');
onPrometheus.it('promtool takes the rules and the configuration, and each alert fires when it should', () => {
  const { status, stdout, stderr } = spawnSync(`${ROOT}infra/observability/check`, { encoding: 'utf8' });
  expect([stdout + stderr, status]).toEqual([expect.any(String), 0]);
});
