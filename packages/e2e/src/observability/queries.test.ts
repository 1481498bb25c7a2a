import { describe, expect, it } from '@jest/globals';
import { readAlerts, readDashboards, readText } from './queries.ts';

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
});

describe('dashboards', () => {
  it('and their panels have distinct names', () => {
    const dashboards = readDashboards();
    expect(new Set(dashboards.map(({ uid }) => uid)).size).toBe(dashboards.length);
    for (const { panels } of dashboards) expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  });
});
