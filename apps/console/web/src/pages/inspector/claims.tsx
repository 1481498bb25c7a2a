import { Equal, MoveRight } from 'lucide-react';
import { cx } from '../../design/cx.ts';
import { Section } from '../../design/layout.tsx';
import { type Column, DataTable } from '../../design/table.tsx';
import { Time } from '../../design/time.tsx';
import { Revealed } from '../../design/untrusted.tsx';
import { t } from '../../text/en.ts';
import styles from './inspector.module.css';
import { type ClaimCell, type ClaimRow, claimRowsOf, instantOf, LEGS, type RunStep } from './run.ts';

/**
 * The claims of the tokens side by side: a line joins unchanged values, and changed ones are marked. A token
 * that the run did not obtain has a column, too.
 */
export function Claims({ steps }: { readonly steps: readonly RunStep[] }) {
  const rows = claimRowsOf(steps.flatMap(({ token }) => token ?? []));
  if (rows.length === 0) return null;
  const shown = steps.flatMap(({ name, state, token }) => {
    const leg = LEGS[name];
    return leg === undefined || state === 'not_used' ? [] : [{ leg, state, token }];
  });
  const columns: readonly Column<ClaimRow>[] = [
    { header: t.inspector.claim, cell: ({ name }) => <ClaimName name={name} /> },
    ...shown.map(
      ({ leg, state, token }): Column<ClaimRow> => ({
        header: t.inspector.tokens[leg],
        cell: ({ name, cells }) =>
          token ? (
            <Cell name={name} cell={cells.find((one) => one.leg === leg)} />
          ) : (
            <span className="muted">{t.inspector.states[state]}</span>
          ),
      }),
    ),
  ];
  return (
    <Section title={t.inspector.claims} description={t.inspector.claimsText} bare>
      <DataTable label={t.inspector.claims} rows={rows} keyOf={({ name }) => name} columns={columns} />
    </Section>
  );
}

/**
 * The name of a claim, its meaning, and where it is defined. Claims without a known definition are shown
 * without explanation.
 */
function ClaimName({ name }: { readonly name: string }) {
  const known = Object.hasOwn(t.claims, name) ? t.claims[name] : undefined;
  return (
    <div className={styles.claim}>
      <code className={styles.name}>
        <Revealed text={name} />
      </code>
      {known && (
        <p className={styles.means}>
          {known.means} <span className={styles.section}>{known.section}</span>
        </p>
      )}
    </div>
  );
}

function Cell({ name, cell }: { readonly name: string; readonly cell: ClaimCell | undefined }) {
  if (!cell) return <span className="muted">{t.inspector.absent}</span>;
  const { value, since } = cell;
  const instant = instantOf(name, value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return (
    <div className={cx(styles.cell, since === 'same' && styles.joined)}>
      {instant === undefined ? (
        <code>
          <Revealed text={text} />
        </code>
      ) : (
        <div>
          <Time at={instant} as="full" />{' '}
          <span className={styles.since}>
            <Time at={instant} />
          </span>
        </div>
      )}
      {since && (
        <span className={styles.since}>
          {since === 'same' ? <Equal aria-hidden size={14} /> : <MoveRight aria-hidden size={14} />}
          {t.inspector.since[since]}
        </span>
      )}
    </div>
  );
}
