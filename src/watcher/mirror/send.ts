import { resolve } from 'node:path';
import { expand } from '../config/placeholders.js';
import type { MirrorTarget } from '../config/watcher-config.js';
import { appendLines } from './append-lines.js';
import type { Send } from './deliver.js';
import { type MirrorSource, mirrorDocument } from './document.js';
import { pipeInto } from './pipe-into.js';
import { sendWebhook } from './send-webhook.js';
import { entryText, escalationText } from './text.js';

/** What sending needs of the world. */
export interface MirrorWorld {
  /** What `${NAME}` stands for, and what a command inherits. */
  readonly environment: Readonly<Record<string, string>>;
  /** The folder of the config file, for a path that is relative only once it is filled, and in which commands run. */
  readonly folder: string;
  /** Writes to standard output; may reject. */
  readonly writeOut: (text: string) => void | Promise<void>;
  /** How long a webhook may take. */
  readonly webhookSeconds: number;
  /** How long a command may take. */
  readonly commandSeconds: number;
}

/** How long a webhook and a command may take unless a caller says otherwise. */
export const MIRROR_SECONDS = { webhookSeconds: 10, commandSeconds: 30 } as const;

/** The `Send` of real targets: standard output, a file, a command, a webhook. */
export function mirrorSender(source: MirrorSource, world: MirrorWorld): Send {
  return async (target, item) => {
    const filled = fillTarget(target, world.environment);
    if ('reason' in filled) return filled.reason;
    const document = () => mirrorDocument(target.kind, item, source);
    const text = () =>
      'entry' in item
        ? entryText(item.entry, source.body, source.visible)
        : escalationText(item.escalation, source.visible);
    try {
      switch (filled.kind) {
        case 'stdout':
          await world.writeOut(`${text()}\n`);
          return undefined;
        case 'file':
          return appendLines(resolve(world.folder, filled.path), text());
        case 'command':
          return await pipeInto(filled.command, JSON.stringify(document()), {
            environment: world.environment,
            cwd: world.folder,
            seconds: world.commandSeconds,
          });
        case 'webhook':
          return await sendWebhook(filled.url, JSON.stringify(document()), world.webhookSeconds);
      }
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  };
}

/** A target in a message: an address can hold a secret, so of a webhook only the host is named. */
export function describeTarget(target: MirrorTarget): string {
  switch (target.kind) {
    case 'stdout':
      return 'stdout';
    case 'file':
      return `file ${target.path}`;
    case 'command':
      return `command ${target.command[0]}`;
    case 'webhook':
      return URL.canParse(target.url) ? `webhook ${new URL(target.url).host}` : 'webhook';
  }
}

function fillTarget(
  target: MirrorTarget,
  environment: Readonly<Record<string, string>>,
): MirrorTarget | { readonly reason: string } {
  const missing: string[] = [];
  const filled = (written: string): string => {
    const expanded = expand(written, environment);
    if (expanded.ok) return expanded.text;
    missing.push(...expanded.missing);
    return '';
  };
  const result: MirrorTarget =
    target.kind === 'file'
      ? { ...target, path: filled(target.path) }
      : target.kind === 'command'
        ? { ...target, command: target.command.map(filled) }
        : target.kind === 'webhook'
          ? { ...target, url: filled(target.url) }
          : target;
  return missing.length === 0 ? result : { reason: `the variable ${missing.join(', ')} is not set` };
}
