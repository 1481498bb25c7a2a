import { randomUUID } from 'node:crypto';
import type { EventStore } from '@modelcontextprotocol/server';

type Message = Parameters<EventStore['storeEvent']>[1];

/** Stores the events of a session's streams, so that a client that reconnects gets missed events. */
export function createEventLog(): EventStore {
  const events: { id: string; stream: string; message: Message }[] = [];
  return {
    async storeEvent(stream, message) {
      const id = `${stream}::${randomUUID()}`;
      events.push({ id, stream, message });
      return id;
    },
    async replayEventsAfter(last, { send }) {
      const stream = last.split('::')[0] ?? '';
      const from = events.findIndex(({ id }) => id === last);
      for (const event of events.slice(from + 1))
        if (event.stream === stream && Object.keys(event.message).length > 0)
          await send(event.id, event.message);
      return stream;
    },
  };
}
