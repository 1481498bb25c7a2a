/** Callers that await `passed` continue when it is released. */
export interface Barrier {
  readonly passed: Promise<void>;
  release(): void;
}

export function createBarrier(): Barrier {
  let release = () => {};
  const passed = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { passed, release };
}
