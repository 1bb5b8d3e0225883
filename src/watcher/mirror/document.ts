import type { MirrorTarget } from '../config/watcher-config.js';
import { entryText, escalationText, type MirrorEntry, type MirrorEscalation, type Visible } from './text.js';

/** Where mirrored things come from, and how much of them a person wants to see. */
export interface MirrorSource {
  readonly channel: string;
  readonly root: string;
  readonly body: 'summary' | 'full';
  readonly visible: Visible;
}

/**
 * What a command gets on standard input and a webhook as its request: the entry with the fields of `read --json`, and
 * `text`, which chat services show. A command of this machine always gets the whole entry; to a webhook, which leaves
 * the machine, the body goes only with `mirror_body: full`.
 */
export function mirrorDocument(
  kind: MirrorTarget['kind'],
  item: { readonly entry: MirrorEntry } | { readonly escalation: MirrorEscalation },
  { channel, root, body, visible }: MirrorSource,
): Readonly<Record<string, unknown>> {
  if ('escalation' in item) {
    const { thread, seq, cause } = item.escalation;
    return { kind: 'escalation', channel, root, seq, thread, cause, text: escalationText(item.escalation, visible) };
  }
  const { seq, timestamp, sender, type, thread, refs, trailers } = item.entry;
  return {
    kind: 'entry',
    channel,
    root,
    seq,
    timestamp,
    sender,
    type,
    thread,
    refs,
    trailers,
    ...(kind === 'webhook' && body === 'summary' ? {} : { body: item.entry.body }),
    text: entryText(item.entry, body, visible),
  };
}
