import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { needs } from '@legate/testing';
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { readAlerts, readDashboards, readRecordings, readText } from './queries.ts';

/** Prometheus' own checks of rules and of the development configuration, and when each alert fires. */

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const RULES = 'infra/observability/alerts/legate.yml';
const TESTS = 'infra/observability/alert-tests';
const CONFIG = 'infra/development/observability/prometheus.yml';

const AlertTests = z.object({
  tests: z.array(
    z.object({
      alert_rule_test: z.array(
        z.object({ alertname: z.string(), eval_time: z.string(), exp_alerts: z.array(z.unknown()) }),
      ),
    }),
  ),
});
const RULE_COUNT = readAlerts().length + readRecordings().length;
const files = readdirSync(`${ROOT}${TESTS}`);
const scenes = files
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

it('shows our alerts on the overview, and no foreign ones', () => {
  const panels = readDashboards().flatMap((dashboard) => dashboard.panels);
  const exprs = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  const [, names = ''] = /ALERTS\{.*alertname=~"([^"]*)"/.exec(exprs.join('\n')) ?? [];
  expect(names.split('|')).toEqual(readAlerts().map(({ alert }) => alert));
});

const onPrometheus = needs('night', 'promtool');
onPrometheus.describe('promtool', () => {
  const promtool = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(onPrometheus.path.promtool, args, {
      cwd: `${ROOT}${TESTS}`,
      encoding: 'utf8',
    });
    return { status, told: `${stdout}${stderr}` };
  };

  it('takes the rules', () => {
    const { status, told } = promtool('check', 'rules', `${ROOT}${RULES}`);
    expect([told, status]).toEqual([expect.stringContaining(`${RULE_COUNT} rules found`), 0]);
  });

  it('takes the rules for the Prometheus operator', () => {
    const manifest = parse(readText('infra/kubernetes/components/monitoring/prometheus-rule.yaml'));
    const file = join(work, 'prometheus-rule.yml');
    writeFileSync(file, stringify(z.object({ spec: z.unknown() }).parse(manifest).spec));
    const { status, told } = promtool('check', 'rules', file);
    expect([told, status]).toEqual([expect.stringContaining(`${RULE_COUNT} rules found`), 0]);
  });

  it('takes the configuration of the development stack, with these rules and those for exporters', () => {
    // Where compose mounts them
    const config = readFileSync(`${ROOT}${CONFIG}`, 'utf8').replaceAll(
      '/etc/prometheus/alerts/',
      `${ROOT}infra/observability/alerts/`,
    );
    const file = join(work, 'prometheus.yml');
    writeFileSync(file, config);
    const { status, told } = promtool('check', 'config', file);
    expect([told, status]).toEqual([expect.stringContaining('2 rule files found'), 0]);
  });

  it.each(files)('finds that the alerts of %s fire when they should', (file) => {
    const { status, told } = promtool('test', 'rules', file);
    expect([told, status]).toEqual([expect.stringContaining('SUCCESS'), 0]);
  });
});

let work: string;
beforeAll(() => {
  work = mkdtempSync(join(tmpdir(), 'legate-promtool-'));
});
afterAll(() => rmSync(work, { recursive: true }));
