import { lazy } from 'react';

/** Forms and the check of schemas are loaded only when the reader wants to call a tool. */
export const CallPanel = lazy(async () => ({ default: (await import('./call-panel.tsx')).CallPanel }));
