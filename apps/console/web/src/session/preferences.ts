import { useSyncExternalStore } from 'react';

/** Everything that a browser stores about its reader; `theme.js` reads the first two before the page is drawn. */
export type Preference = 'theme' | 'density' | 'shortcuts';

/** Returns the stored setting, or undefined if the system or the console decides. */
export function preference(name: Preference): string | undefined {
  try {
    return localStorage.getItem(name) ?? undefined;
  } catch {
    return undefined; // storage is disabled
  }
}

export function setPreference(name: Preference, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(name);
    else localStorage.setItem(name, value);
  } catch {
    return; // storage is disabled, so nothing has changed
  }
  // The browser sends this event to other tabs only; theme.js listens for it.
  window.dispatchEvent(new StorageEvent('storage', { key: name }));
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('storage', listener);
  return () => window.removeEventListener('storage', listener);
}

export const usePreference = (name: Preference): string | undefined =>
  useSyncExternalStore(subscribe, () => preference(name));

export const singleKeys = (): boolean => preference('shortcuts') !== 'off';
