import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { Refusal } from '../../protocol/core/refusal.js';
import type { Given, SeatHarness, SeatMode } from '../../setup/answers.js';
import type { Terminal } from '../../setup/interview.js';
import { type Around, lookAround } from '../../setup/look-around.js';
import { type ChannelOptions, readingWorld } from '../context.js';
import { toolPath } from '../tool-path.js';

/** Options of `debate setup`. */
export interface SetupOptions extends ChannelOptions {
  readonly project?: string;
  readonly config?: string;
  readonly builder?: SeatHarness;
  readonly reviewer?: SeatHarness;
  readonly builderMode?: SeatMode;
  readonly reviewerMode?: SeatMode;
  readonly builderModel?: string;
  readonly reviewerModel?: string;
  readonly parties?: readonly string[];
  readonly supervisor?: string;
  /** False after `--no-tests`; true where nothing was said, as commander has it. */
  readonly tests?: string | boolean;
  readonly register?: boolean;
  readonly schedule?: boolean;
  readonly smoke?: boolean;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly print?: 'agents-md';
}

/** Looks at the channel, the project and this machine. */
export function look(options: SetupOptions): Around {
  const { root, channel, project, config } = options;
  return lookAround(
    readingWorld.disk,
    { root, channel, project, config, folder: process.cwd() },
    {
      environment: process.env,
      home: homedir(),
      node: realpathSync(process.execPath),
      tool: toolPath(),
    },
  );
}

/** What was said on the command line. */
export function givenOf(options: SetupOptions): Given {
  const seat = (harness?: SeatHarness, mode?: SeatMode, model?: string) => ({
    ...(harness === undefined ? {} : { harness }),
    ...(mode === undefined ? {} : { mode }),
    ...(model === undefined ? {} : { model }),
  });
  const { tests, parties, supervisor } = options;
  return {
    builder: seat(options.builder, options.builderMode, options.builderModel),
    reviewer: seat(options.reviewer, options.reviewerMode, options.reviewerModel),
    ...(parties === undefined ? {} : { parties }),
    ...(supervisor === undefined ? {} : { supervisor }),
    ...(tests === undefined || tests === true ? {} : { tests }),
  };
}

/** The terminal to ask on; undefined where nothing shall be asked, or nobody is there. */
export function terminalOf(options: SetupOptions): Terminal | undefined {
  if (options.yes === true || options.dryRun === true || options.json === true) return undefined;
  if (process.stdin.isTTY !== true || process.stdout.isTTY !== true) return undefined;
  return { input: process.stdin, output: process.stdout };
}

/** Refuses `not-when-woken`: an agent that was woken for a turn must not be able to give itself other commands. */
export function refuseWoken(): void {
  if (!process.env.DEBATE_WAKE) return;
  throw new Refusal({
    code: 'not-when-woken',
    message: 'A woken agent does not change how it is woken.',
    hint: 'Ask the supervisor: `debate post ... --ask`.',
  });
}
