import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { z } from 'zod';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
export const readText = (path: string): string => readFileSync(`${ROOT}${path}`, 'utf8');

/** A query with the texts for people that name its labels. */
export interface Query {
  readonly where: string;
  readonly expr: string;
  readonly texts: readonly string[];
}

const Alert = z.strictObject({
  alert: z.string().regex(/^[A-Z][A-Za-z]+$/),
  expr: z.string(),
  for: z.string().optional(),
  labels: z.strictObject({ severity: z.enum(['critical', 'warning']) }),
  annotations: z.strictObject({ summary: z.string(), runbook_url: z.string() }),
});
/** A rule that stores the result of a query as a new series. */
const Recording = z.strictObject({
  record: z.string().regex(/^slo:\w+:\w+$|^slo:error_budget$/),
  expr: z.string(),
  labels: z.strictObject({ slo: z.string() }).optional(),
});
const Rules = z.object({
  groups: z.array(z.object({ name: z.string(), rules: z.array(z.union([Alert, Recording])) })),
});

const readRules = () =>
  Rules.parse(parse(readText('infra/observability/alerts/legate.yml'))).groups.flatMap(({ rules }) => rules);

export const readAlerts = () => readRules().flatMap((rule) => ('alert' in rule ? [rule] : []));

export const readRecordings = () => readRules().flatMap((rule) => ('record' in rule ? [rule] : []));

const Dashboard = z.looseObject({
  uid: z.string(),
  title: z.string(),
  panels: z.array(
    z.looseObject({
      id: z.number(),
      title: z.string(),
      datasource: z.object({ uid: z.string().regex(/^\$\{datasource\}$/) }),
      targets: z.array(z.looseObject({ expr: z.string(), legendFormat: z.string().optional() })).min(1),
    }),
  ),
  templating: z.object({ list: z.array(z.looseObject({ name: z.string(), query: z.string() })) }),
});

const DASHBOARDS = 'infra/observability/dashboards';
export const readDashboards = () =>
  readdirSync(`${ROOT}${DASHBOARDS}`).map((file) =>
    Dashboard.parse(JSON.parse(readText(`${DASHBOARDS}/${file}`))),
  );

/** Replaces Grafana's variables, which stand for a viewer's choice or an interval. */
const withoutVariables = (expr: string): string =>
  expr.replaceAll('$__rate_interval', '5m').replaceAll(/\$\w+/g, '.*');

/** Returns the queries of alerts, recording rules, panels and dashboard variables. */
export function readQueries(): readonly Query[] {
  const ofAlerts = readAlerts().map(({ alert, expr, annotations }) => ({
    where: alert,
    expr,
    texts: [...annotations.summary.matchAll(/\$labels\.(\w+)/g)].map(([, label = '']) => label),
  }));
  const ofRecordings = readRecordings().flatMap(({ record, expr, labels }) =>
    // An error budget is a constant, not a query.
    record === 'slo:error_budget' ? [] : [{ where: `${record} ${labels?.slo ?? ''}`, expr, texts: [] }],
  );
  const ofDashboards = readDashboards().flatMap(({ title, panels, templating }) => [
    ...panels.flatMap((panel) =>
      panel.targets.map(({ expr, legendFormat = '' }) => ({
        where: `${title}, ${panel.title}`,
        expr: withoutVariables(expr),
        texts: [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label),
      })),
    ),
    ...templating.list.flatMap(({ name, query }) => {
      const [, series, label] = /^label_values\((\w+(?:\{.*\})?), (\w+)\)$/.exec(query) ?? [];
      return series && label
        ? [{ where: `${title}, $${name}`, expr: `sum by (${label}) (${series})`, texts: [] }]
        : [];
    }),
  ]);
  return [...ofAlerts, ...ofRecordings, ...ofDashboards];
}
