/** How many agents may run at a time, whatever channels they belong to. */
export interface Slots {
  /** The right to run one agent, to be given back by calling it; undefined when all are taken. */
  take(): (() => void) | undefined;
  /** Takes none any more. */
  close(): void;
}

/** `count` slots; `onFree` is called whenever one is given back. */
export function makeSlots(count: () => number, onFree: () => void): Slots {
  let taken = 0;
  let closed = false;
  return {
    take() {
      if (closed || taken >= count()) return undefined;
      taken += 1;
      let held = true;
      return () => {
        if (!held) return;
        held = false;
        taken -= 1;
        onFree();
      };
    },
    close: () => {
      closed = true;
    },
  };
}
