import { Fragment } from 'react';
import { Dialog } from '../design/modal.tsx';
import { GO } from '../keyboard/keys.ts';
import { t } from '../text/en.ts';
import styles from './keyboard-help.module.css';
import { NAVIGATION } from './navigation.ts';

/** A list of all keyboard shortcuts. */
export function KeyboardHelp({ onClose }: { onClose(): void }) {
  const pages = Object.entries(GO).flatMap(([key, to]) =>
    NAVIGATION.filter((entry) => entry.to === to).map(
      ({ label }) => [['g', key], t.keyboard.goTo(label)] as const,
    ),
  );
  const rows: readonly (readonly [readonly string[], string])[] = [
    [t.keyboard.paletteKeys, t.keyboard.palette],
    ...pages,
    [['/'], t.keyboard.filter],
    [['j'], t.keyboard.nextRow],
    [['k'], t.keyboard.previousRow],
    [['↵'], t.keyboard.open],
    [['p'], t.keyboard.pause],
    [['Esc'], t.keyboard.close],
    [['?'], t.keyboard.help],
  ];
  return (
    <Dialog title={t.keyboard.title} onClose={onClose}>
      <dl className={styles.keys}>
        {rows.map(([keys, words]) => (
          <Fragment key={words}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{words}</dd>
          </Fragment>
        ))}
      </dl>
      <p className="muted">{t.keyboard.off}</p>
    </Dialog>
  );
}
