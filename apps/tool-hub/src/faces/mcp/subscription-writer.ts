import type { SubscriptionFilter } from '@legate/mcp-client';
import type { RequestId } from './request-id.ts';
import type { ChangingList } from './subscription.ts';

export const SUBSCRIPTION_ID_KEY = 'io.modelcontextprotocol/subscriptionId';

/** Milliseconds for which notifications are collected, so that each is sent only once */
const COLLECT_MS = 100;

/** Writes the notifications of one subscription. Nothing is written before the acknowledgement. */
export class SubscriptionWriter {
  readonly #pending = new Map<string, () => void>();
  #timer: NodeJS.Timeout | undefined;
  #state: 'opening' | 'open' | 'closed' = 'opening';

  /** @param write sends the text of a message */
  constructor(
    private readonly id: RequestId,
    private readonly write: (json: string) => void,
  ) {}

  acknowledge(filter: SubscriptionFilter): void {
    if (this.#state !== 'opening') return;
    this.#state = 'open';
    this.#notify('notifications/subscriptions/acknowledged', { notifications: filter });
    this.#later();
  }

  listChanged(list: ChangingList): void {
    this.#add(`list ${list}`, () => this.#notify(`notifications/${list}/list_changed`, {}));
  }

  resourceUpdated(uri: string): void {
    this.#add(`uri ${uri}`, () => this.#notify('notifications/resources/updated', { uri }));
  }

  close(): void {
    this.#state = 'closed';
    clearTimeout(this.#timer);
    this.#pending.clear();
  }

  #add(key: string, write: () => void): void {
    if (this.#state === 'closed') return;
    this.#pending.set(key, write);
    this.#later();
  }

  #later(): void {
    if (this.#state !== 'open' || this.#timer || this.#pending.size === 0) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      const pending = [...this.#pending.values()];
      this.#pending.clear();
      for (const write of pending) write();
    }, COLLECT_MS);
  }

  #notify(method: string, params: object): void {
    const own = JSON.stringify(params).slice(1, -1);
    const text = `{${own}${own === '' ? '' : ','}${metaWith(this.id)}}`;
    this.write(`{"jsonrpc":"2.0","method":${JSON.stringify(method)},"params":${text}}`);
  }
}

/** Returns the result with which a subscription ends. */
export const endOfSubscription = (id: RequestId): string => `{"resultType":"complete",${metaWith(id)}}`;

/** The agent's request id as it was written */
const metaWith = (id: RequestId): string => `"_meta":{"${SUBSCRIPTION_ID_KEY}":${id}}`;
