import { useState } from 'react';
import { number } from '../intl/format.ts';
import { t } from '../text/en.ts';
import styles from './bars.module.css';
import { niceCeiling, stack } from './bars-scale.ts';
import { Button } from './button.tsx';
import { cx } from './cx.ts';

export interface Bar {
  readonly key: string;
  /** The label below it, and in the table */
  readonly label: string;
  readonly parts: readonly number[];
}

export interface Series {
  readonly label: string;
  readonly tone: 'allowed' | 'refused' | 'failed';
}

interface BarsProps {
  readonly title: string;
  readonly labelHeader: string;
  /** The parts of each bar, from bottom to top */
  readonly series: readonly Series[];
  readonly bars: readonly Bar[];
}

const HEIGHT = 160;
const STEP = 20;
const GAP = 5;

/** Stacked bars. Assistive technology gets the same numbers as a table. */
export function Bars({ title, labelHeader, series, bars }: BarsProps) {
  const [asTable, setAsTable] = useState(false);
  return (
    <div>
      <div className={styles.top}>
        <ul className={styles.legend}>
          {series.map(({ label, tone }, index) => (
            <li key={label}>
              <span aria-hidden className={cx(styles.swatch, styles[tone])} />
              <strong>{number(bars.reduce((sum, { parts }) => sum + (parts[index] ?? 0), 0))}</strong> {label}
            </li>
          ))}
        </ul>
        <Button variant="quiet" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
          {asTable ? t.chart.showChart : t.chart.showTable}
        </Button>
      </div>
      {!asTable && <Chart series={series} bars={bars} />}
      <div className={asTable ? styles.table : 'visually-hidden'}>
        <table>
          <caption className="visually-hidden">{title}</caption>
          <thead>
            <tr>
              <th scope="col">{labelHeader}</th>
              {series.map(({ label }) => (
                <th key={label} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {bars.map(({ key, label, parts }) => (
              <tr key={key}>
                <th scope="row">{label}</th>
                {parts.map((part, index) => (
                  <td key={series[index]?.label}>{number(part)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

function Chart({ series, bars }: Pick<BarsProps, 'series' | 'bars'>) {
  const ceiling = niceCeiling(Math.max(0, ...bars.map(({ parts }) => parts.reduce((a, b) => a + b, 0))));
  const width = bars.length * STEP;
  return (
    <div aria-hidden className={styles.chart}>
      <div className={styles.axis}>
        <span>{number(ceiling)}</span>
        <span>{number(0)}</span>
      </div>
      {/* biome-ignore lint/a11y/noSvgWithoutTitle: the table has the numbers; this is hidden from assistive technology */}
      <svg viewBox={`0 0 ${width} ${HEIGHT}`} preserveAspectRatio="none" className={styles.plot}>
        {[0, 0.5, 1].map((at) => (
          <line key={at} x1="0" x2={width} y1={HEIGHT * at} y2={HEIGHT * at} className={styles.grid} />
        ))}
        {bars.map(({ key, label, parts }, index) => (
          <g key={key}>
            <title>
              {t.chart.bar(
                label,
                parts.map((part, at) => [series[at]?.label ?? '', part] as const),
              )}
            </title>
            <rect x={index * STEP} y={0} width={STEP} height={HEIGHT} className={styles.hit} />
            {stack(parts, ceiling, HEIGHT).map(({ y, height }, at) => (
              <rect
                key={series[at]?.label}
                x={index * STEP + GAP / 2}
                y={y}
                width={STEP - GAP}
                height={height}
                className={styles[series[at]?.tone ?? 'allowed']}
              />
            ))}
          </g>
        ))}
      </svg>
      <div className={styles.labels}>
        <span>{bars[0]?.label}</span>
        <span>{bars[Math.floor((bars.length - 1) / 2)]?.label}</span>
        <span>{bars.at(-1)?.label}</span>
      </div>
    </div>
  );
}
