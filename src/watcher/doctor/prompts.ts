import { nearKey } from '../config/near-key.js';
import { PLACEHOLDERS, placeholdersIn } from '../config/placeholders.js';
import type { PartySettings, WatcherConfig } from '../config/watcher-config.js';
import { type Finding, ok, problem, warning } from './finding.js';

const SHELL = /^(?:.*\/)?(?:sh|bash|dash|zsh|ksh|fish)$/;
// Something in braces that reads like a placeholder, and is none: JSON, with its quotes and colons, does not.
const LOOKS_LIKE_PLACEHOLDER = /\{([a-z][a-z_]*)\}/g;
const LOOKS_COMPOSED = /\$\{[A-Za-z_]\w*\}|\$\(/;

/**
 * Prompts are pinned: they compose nothing at run time, and least of all what another agent wrote (DESIGN.md 8). One
 * finding for each party that is woken.
 */
export function judgePrompts(config: WatcherConfig): readonly Finding[] {
  return Object.values(config.parties)
    .filter(({ command }) => command !== undefined)
    .map(judgePrompt);
}

function judgePrompt(settings: PartySettings): Finding {
  const about = `prompt of ${settings.party}`;
  const { prompt, stdin } = settings;
  const command = settings.command ?? [];
  const script = SHELL.test(command[0] ?? '') ? scriptOf(command) : undefined;
  if (script !== undefined && placeholdersIn(script).has('prompt')) {
    return problem(
      about,
      'the command puts {prompt} into the text of a shell script, where a quote in it becomes code',
      'give {prompt} as an argument after the script, where it is "$1"',
    );
  }
  if (script?.includes('CHANNEL.md')) {
    return warning(
      about,
      'the command reads CHANNEL.md into the run, so that entries of others arrive as the prompt',
      'pin the prompt and let the agent read the thread with "debate read"',
    );
  }
  if (prompt === undefined) return ok(about, `${settings.party} is woken without a prompt`);
  if (stdin === 'none' && !command.some((part) => placeholdersIn(part).has('prompt'))) {
    return warning(about, 'the prompt reaches nobody', 'put {prompt} into the command, or set "stdin" to "prompt"');
  }
  const composed = LOOKS_COMPOSED.exec(prompt)?.[0];
  if (composed !== undefined) {
    return warning(about, `"${composed}" stays in the prompt as it is written: nothing is composed there`, 'remove it');
  }
  const unknown = [...prompt.matchAll(LOOKS_LIKE_PLACEHOLDER)]
    .map(([, name = '']) => name)
    .find((name) => !isFilled(name));
  if (unknown !== undefined) {
    const near = nearKey(unknown, PLACEHOLDERS);
    const remedy =
      near === undefined ? `known are ${PLACEHOLDERS.map((name) => `{${name}}`).join(' ')}` : `write {${near}}`;
    return warning(about, `{${unknown}} stays in the prompt as it is written`, remedy);
  }
  return ok(about, `${settings.party}'s prompt is pinned (${Buffer.byteLength(prompt)} bytes)`);
}

function scriptOf(command: readonly string[]): string | undefined {
  const at = command.findIndex((part, index) => index > 0 && /^-[a-z]*c$/.test(part));
  return at === -1 ? undefined : command[at + 1];
}

function isFilled(name: string): boolean {
  return name !== 'prompt' && (PLACEHOLDERS as readonly string[]).includes(name);
}
