import type { RunEvent } from '../tick/invoking.js';
import type { TickResult } from '../tick/tick.js';

/** Which channel something is about. */
export interface About {
  /** The absolute path of its watcher config. */
  readonly config: string;
  /** Its name and root; undefined while the config cannot be read. */
  readonly channel: string | undefined;
  readonly root: string | undefined;
}

/** What happens in a daemon, for logs and people. */
export type DaemonEvent =
  | { readonly kind: 'watching'; readonly about: About; readonly schedule: string }
  /** A config that `--all` found before and that is no more. */
  | { readonly kind: 'gone'; readonly about: About }
  | { readonly kind: 'ticked'; readonly about: About; readonly result: TickResult }
  | { readonly kind: 'run'; readonly about: About; readonly event: RunEvent }
  /** The tick could not be made; the next one tries again. */
  | {
      readonly kind: 'failed';
      readonly about: About;
      readonly code: string;
      readonly message: string;
      readonly hint: string;
      /** A human should look, as opposed to what may pass by itself. */
      readonly look: boolean;
    }
  | { readonly kind: 'mirrored'; readonly about: About; readonly text: string }
  | { readonly kind: 'clock-jumped' }
  | { readonly kind: 'stopping'; readonly running: number };
