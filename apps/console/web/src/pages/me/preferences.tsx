import { Checkbox, Select } from '../../design/inputs.tsx';
import { Section, Stack } from '../../design/layout.tsx';
import { setPreference, usePreference } from '../../session/preferences.ts';
import { t } from '../../text/en.ts';
import styles from './me.module.css';

const THEMES = [
  { value: 'system', label: t.me.themeSystem },
  { value: 'light', label: t.me.themeLight },
  { value: 'dark', label: t.me.themeDark },
] as const;
const DENSITIES = [
  { value: 'comfortable', label: t.me.comfortable },
  { value: 'compact', label: t.me.compact },
] as const;

/** The settings that this browser stores for its reader. */
export function Preferences() {
  const theme = usePreference('theme');
  const density = usePreference('density');
  const shortcuts = usePreference('shortcuts');
  return (
    <Section title={t.me.preferences} description={t.me.preferencesKept}>
      <Stack>
        <div className={styles.selects}>
          <Select
            name="theme"
            label={t.me.theme}
            options={THEMES}
            value={theme === 'light' || theme === 'dark' ? theme : 'system'}
            onChange={(value) => setPreference('theme', value === 'system' ? undefined : value)}
          />
          <Select
            name="density"
            label={t.me.density}
            options={DENSITIES}
            value={density === 'compact' ? 'compact' : 'comfortable'}
            onChange={(value) => setPreference('density', value === 'compact' ? value : undefined)}
          />
        </div>
        <Checkbox
          label={t.me.shortcuts}
          hint={t.me.shortcutsHint}
          value={shortcuts !== 'off'}
          onChange={(on) => setPreference('shortcuts', on ? undefined : 'off')}
        />
      </Stack>
    </Section>
  );
}
