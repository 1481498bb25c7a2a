import { createLazyRoute } from '@tanstack/react-router';
import { Page } from '../design/layout.tsx';
import { t } from '../text/en.ts';
import { Buttons, Statuses, Words } from './basics.tsx';
import { Data } from './data.tsx';
import { Forms } from './forms.tsx';
import styles from './kit.module.css';
import { Overlays } from './overlays.tsx';

export const page = createLazyRoute('/kit')({ component: Kit });

function Kit() {
  return (
    <main className={styles.kit}>
      <Page title={t.kit.title} meta={t.kit.intro}>
        <Buttons />
        <Statuses />
        <Forms />
        <Data />
        <Words />
        <Overlays />
      </Page>
    </main>
  );
}
