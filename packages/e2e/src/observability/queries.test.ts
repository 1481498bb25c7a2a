import { describe, expect, it } from '@jest/globals';
import { SERVICE_NAMES } from '@legate/dev';
import { readAlerts, readDashboards, readQueries, readText } from './queries.ts';

describe('alerts', () => {
  const chapters = [...readText('docs/operations/alerts.md').matchAll(/^## (\w+)$/gm)].map(
    ([, name]) => name,
  );

  it('have their own section each', () => {
    const alerts = readAlerts();
    expect(alerts.map(({ alert }) => alert)).toEqual(chapters);
    for (const { alert, annotations } of alerts)
      expect(annotations.runbook_url).toBe(`docs/operations/alerts.md#${alert.toLowerCase()}`);
  });

  it('that page somebody are listed', () => {
    const [, list = ''] =
      /\(`severity: critical`\): (.*?)\. \*\*/.exec(readText('docs/operations/alerts.md')) ?? [];
    const critical = readAlerts().filter(({ labels }) => labels.severity === 'critical');
    expect(list.split(', ')).toEqual(critical.map(({ alert }) => `[${alert}](#${alert.toLowerCase()})`));
  });
});

describe('alerts on what exporters report', () => {
  it('have their own section each', () => {
    const rules = readText('infra/observability/alerts/exporters.yml');
    const alerts = [...rules.matchAll(/alert: (\w+)/g)].map(([, name]) => name);
    const chapters = [...readText('docs/operations/exporters.md').matchAll(/^## (\w+)$/gm)].map(
      ([, name]) => name,
    );
    expect(alerts).toEqual(chapters);
    const runbooks = [...rules.matchAll(/runbook_url: (\S+)/g)].map(([, url]) => url);
    expect(runbooks).toEqual(alerts.map((name) => `docs/operations/exporters.md#${name?.toLowerCase()}`));
  });
});

it('lists every service in alerts and dashboards that are about all services', () => {
  const lists = readQueries().flatMap(({ where, expr }) =>
    [...expr.matchAll(/(?:service|job)=~"([^"]+)"/g)].map(([, list = '']) => ({
      where,
      names: list.split('|'),
    })),
  );
  const ofAll = lists.filter(({ names }) => names.includes('mock-idp')); // other lists name only some services
  expect(ofAll.length).toBeGreaterThan(8);
  for (const { where, names } of ofAll)
    expect([where, names.sort()]).toEqual([where, [...SERVICE_NAMES].sort()]);
});

describe('dashboards', () => {
  it('and their panels have distinct names', () => {
    const dashboards = readDashboards();
    expect(new Set(dashboards.map(({ uid }) => uid)).size).toBe(dashboards.length);
    for (const { panels } of dashboards) expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  });
});
