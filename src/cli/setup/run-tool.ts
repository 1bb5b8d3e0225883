import { spawn } from 'node:child_process';
import type { Place } from '../../setup/place.js';

/** What a command of the tool came to. */
export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command of this very tool as a person would in that folder, with nothing of an outer run in its environment. */
export function runTool({ node, tool }: Place, folder: string, args: readonly string[]): Promise<Ran> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('DEBATE_')));
  const child = spawn(node, [tool, ...args], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text;
    });
  return new Promise((resolve, reject) => {
    child.on('error', reject).on('close', (code) => resolve({ code, ...texts }));
  });
}
