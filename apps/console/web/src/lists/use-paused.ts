import { useEffect, useState } from 'react';

/** Time without typing after which the server is asked. */
const PAUSE_MS = 300;

/** Returns a typed text once the typing has paused: the server is not asked for each character. */
export function usePaused(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
}
