export interface ToastMessage {
  readonly id: number;
  readonly title: string;
  readonly action: { readonly label: string; run(): void } | undefined;
}

/** Maximum number of messages at a time: a new one replaces the oldest. */
const AT_MOST = 3;

/** The messages that are shown, for `useSyncExternalStore`. */
export function createToastQueue() {
  let messages: readonly ToastMessage[] = [];
  let lastId = 0;
  const listeners = new Set<() => void>();
  const set = (next: readonly ToastMessage[]) => {
    messages = next;
    for (const listener of listeners) listener();
  };
  return {
    add(title: string, action?: ToastMessage['action']): void {
      lastId += 1;
      set([...messages, { id: lastId, title, action }].slice(-AT_MOST));
    },
    remove: (id: number): void => set(messages.filter((message) => message.id !== id)),
    current: () => messages,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
