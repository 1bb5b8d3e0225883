import { EXIT, type ExitCode } from '../../protocol/core/refusal.js';

/** Options of `debate demo`. */
export interface DemoOptions {
  readonly clean?: boolean;
}

export function demoCommand(_options: DemoOptions): ExitCode {
  return EXIT.done;
}
