import { createViews } from '@legate/service';
import type { Role } from './bench-path.ts';
import type { Measurement } from './measure.ts';
import { type AddedLatency, loadsIn, type PathReport } from './report.ts';

/** The stored results of a benchmark run: `bench-results/*.json`. */
export interface Results {
  /** ISO 8601 */
  readonly at: string;
  readonly machine: { node: string; platform: string; cpu: string | undefined; cores: number };
  readonly options: { readonly rounds: number; readonly against: string | undefined };
  readonly reports: readonly PathReport[];
}

/** Renders a self-contained page without scripts: the plots and the table of each path. */
export const renderReportPage = (results: Results): string =>
  views.render('report', {
    ...results,
    titleBar: `Benchmarks of ${results.at.slice(0, 10)}`,
    style: STYLE,
    paths: results.reports.map(pathView),
  });

const pathView = ({ path, comparisons, added, measurements }: PathReport) => ({
  path,
  measurements: measurements.map(row),
  added: added.map(({ load, p50Ms, p99Ms }) => ({ load, p50: p50Ms.toFixed(2), p99: p99Ms.toFixed(2) })),
  verdicts: comparisons.flatMap(({ peer, load, goal, ratio, goalReached }) =>
    goal === undefined ? [] : [{ peer, load, goal: goal.toFixed(2), ratio: ratio.toFixed(2), goalReached }],
  ),
  plots: [
    ...(added.length > 0 ? [addedPlot(added)] : []),
    {
      title: 'Processor time per request, ms',
      key: 'The bar is the median of the rounds, and each dot is one round.',
      groups: groups(
        measurements,
        (each) => each.cpuMsPerRequest,
        (each) => each.cpuMsPerRequestByRound,
      ),
    },
    {
      title: 'Time to answer, ms',
      key: 'The bar is the median request; the dot is the 99th percentile.',
      groups: groups(
        measurements,
        (each) => each.p50Ms,
        (each) => [each.p99Ms],
      ),
    },
  ],
});

/** A bar for each load, all on one scale. */
const addedPlot = (added: readonly AddedLatency[]) => ({
  title: 'Added to the time to answer, ms',
  key: 'The bar is the difference to calling directly, and each dot is that of one round.',
  groups: [
    barGroup(
      'Median request (p50)',
      added.map(({ load, p50Ms, p50MsByRound }) => targetBar(load, p50Ms, p50MsByRound)),
    ),
    barGroup(
      '99th percentile (p99)',
      added.map(({ load, p99Ms, p99MsByRound }) => targetBar(load, p99Ms, p99MsByRound)),
    ),
  ],
});

interface Bar {
  readonly role: Role;
  readonly label: string;
  readonly value: number;
  readonly dots: readonly number[];
}

const targetBar = (label: string, value: number, dots: readonly number[]): Bar => ({
  role: 'target',
  label,
  value,
  dots,
});

/** Bars and dots on one scale, from 0 to the longest; lower values are drawn at 0. */
function barGroup(heading: string, bars: readonly Bar[]) {
  const scale = Math.max(...bars.flatMap(({ value, dots }) => [value, ...dots]));
  const percent = (value: number): string => ((100 * Math.max(value, 0)) / scale).toFixed(2);
  return {
    heading,
    bars: bars.map(({ role, label, value, dots }) => ({
      role,
      label,
      value: value.toFixed(2),
      width: percent(value),
      dots: dots.map(percent),
    })),
  };
}

/** One group of bars for each load, all on the scale of their load. */
function groups(
  measurements: readonly Measurement[],
  barOf: (each: Measurement) => number,
  dotsOf: (each: Measurement) => readonly number[],
) {
  return loadsIn(measurements).map((load) =>
    barGroup(
      load,
      measurements
        .filter((each) => each.load === load)
        .map((each) => ({
          role: each.role,
          label: each.program,
          value: barOf(each),
          dots: dotsOf(each),
        })),
    ),
  );
}

const row = (each: Measurement) => ({
  ...each,
  cpu: each.cpuMsPerRequest.toFixed(3),
  rate: each.requestsPerSecond.toFixed(0),
  p50: each.p50Ms.toFixed(2),
  p99: each.p99Ms.toFixed(2),
  memory: each.peakMemoryMb.toFixed(0),
});

const REPORT = `<% layout('@shell') %>
<h1><%= it.titleBar %></h1>
<p>Node.js <%= it.machine.node %>, <%= it.machine.cores %> processors (<%= it.machine.cpu ?? 'unknown' %>), <%= it.options.rounds %> rounds<% if (it.options.against) { %>, against another build<% } %>.</p>
<nav><ul><% for (const { path } of it.paths) { %><li><a href="#<%= encodeURIComponent(path) %>"><%= path %></a></li><% } %></ul></nav>
<% for (const { path, verdicts, added, plots, measurements } of it.paths) { %>
<section id="<%= encodeURIComponent(path) %>">
<h2><%= path %></h2>
<% if (verdicts.length > 0) { %>
<ul><% for (const { peer, load, goal, ratio, goalReached } of verdicts) { %><li><%= load %>: <strong><%= ratio %></strong> × the processor time of <%= peer %>; the goal of <%= goal %> is <%= goalReached ? 'reached' : 'missed' %>.</li><% } %></ul>
<% } %>
<% if (added.length > 0) { %>
<ul><% for (const { load, p50, p99 } of added) { %><li><%= load %>: adds p50 <strong><%= p50 %> ms</strong>, p99 <strong><%= p99 %> ms</strong></li><% } %></ul>
<% } %>
<% for (const { title, key, groups } of plots) { %>
<figure>
<figcaption><%= title %> <small><%= key %></small></figcaption>
<% for (const { heading, bars } of groups) { %>
<h3><%= heading %></h3>
<dl>
<% for (const { role, label, value, width, dots } of bars) { %>
<dt><%= label %></dt>
<dd class="<%= role %>"><span class="track"><span class="bar" style="width: <%= width %>%"></span><% for (const left of dots) { %><i style="left: <%= left %>%"></i><% } %></span><%= value %></dd>
<% } %>
</dl>
<% } %>
</figure>
<% } %>
<div class="table"><table>
<thead><tr><th>Program</th><th>Load</th><th>CPU ms/req</th><th>req/s</th><th>p50 ms</th><th>p99 ms</th><th>Peak MB</th><th>Wrong answers</th></tr></thead>
<tbody>
<% for (const { program, load, cpu, rate, p50, p99, memory, errors } of measurements) { %>
<tr><td><%= program %></td><td><%= load %></td><td><%= cpu %></td><td><%= rate %></td><td><%= p50 %></td><td><%= p99 %></td><td><%= memory %></td><td><%= errors %></td></tr>
<% } %>
</tbody>
</table></div>
</section>
<% } %>
`;

const STYLE = `
:root { color-scheme: light dark; --text: light-dark(#1c2024, #edeef0); --muted: light-dark(#60646c, #b0b4ba); --line: light-dark(#e0e1e6, #363a3f); --target: light-dark(#3358d4, #7c9df5); --floor: light-dark(#8b8d98, #777b84); --peer: light-dark(#c2410c, #f0925f); }
body { max-width: 960px; margin: 2rem auto; padding: 0 1rem; font: 15px/1.5 system-ui, sans-serif; color: var(--text); background: light-dark(#fff, #111113); }
h1 { line-height: 1.2; } h2 { margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--line); } h3 { margin: 1rem 0 0.25rem; font-size: 0.9rem; color: var(--muted); }
figure { margin: 1.5rem 0; } figcaption { font-weight: 600; } small { font-weight: 400; color: var(--muted); }
dl { display: grid; grid-template-columns: minmax(8rem, 16rem) 1fr; gap: 4px 1rem; margin: 0; } dd { display: grid; grid-template-columns: 1fr 4rem; gap: 0.75rem; margin: 0; text-align: right; font-variant-numeric: tabular-nums; }
@media (max-width: 40rem) { dl { grid-template-columns: 1fr; } }
.track { position: relative; height: 1.1rem; align-self: center; } .bar { position: absolute; inset: 0 auto 0 0; border-radius: 2px; opacity: 0.65; background: var(--peer); }
.target .bar { background: var(--target); } .floor .bar { background: var(--floor); }
i { position: absolute; top: 50%; width: 7px; height: 7px; margin: -3.5px; border-radius: 50%; border: 1px solid light-dark(#fff, #111113); background: var(--text); }
.table { overflow-x: auto; } table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 0.9rem; } th, td { padding: 4px 10px; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap; } th:nth-child(-n+2), td:nth-child(-n+2) { text-align: left; }
`;

const views = createViews({ report: REPORT });
