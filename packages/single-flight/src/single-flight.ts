/** Runs `work` unless equal work is running already; then all callers share its outcome. Outcomes are not cached. */
export interface SingleFlight<Result> {
  /**
   * @param key identifies equal work
   * @param owner the owner of the work, for `forget`
   * @param work gets a function that returns whether it was forgotten meanwhile
   */
  run(key: string, owner: string, work: (isForgotten: () => boolean) => Promise<Result>): Promise<Result>;
  /** Forgets the owner's running flights: no caller joins them any more, and their work can see it. */
  forget(owner: string): void;
}

export function createSingleFlight<Result>(): SingleFlight<Result> {
  interface Flight {
    readonly owner: string;
    forgotten: boolean;
    result: Promise<Result>;
  }
  const flights = new Map<string, Flight>();

  return {
    run(key, owner, work) {
      const running = flights.get(key);
      if (running) return running.result;
      const flight: Flight = { owner, forgotten: false, result: Promise.resolve() as Promise<never> };
      flights.set(key, flight);
      flight.result = work(() => flight.forgotten).finally(() => {
        // After `forget`, another flight may have this key.
        if (flights.get(key) === flight) flights.delete(key);
      });
      return flight.result;
    },
    forget(owner) {
      for (const [key, flight] of flights) {
        if (flight.owner !== owner) continue;
        flight.forgotten = true;
        flights.delete(key);
      }
    },
  };
}
