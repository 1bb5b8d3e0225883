import { realpathSync } from 'node:fs';
import { EXIT, type ExitCode } from '../../protocol/core/refusal.js';
import { visibleLine } from '../../protocol/core/visible.js';
import { presenceOf } from '../../watcher/daemon/presence.js';
import { judgeChecks, judgeLock, judgeRecord, judgeSeats } from '../../watcher/doctor/channel.js';
import { diagnoseMachine } from '../../watcher/doctor/diagnose.js';
import { type Finding, ok, warning } from '../../watcher/doctor/finding.js';
import { lastTickAt } from '../../watcher/tick-file.js';
import { type ChannelOptions, readingWorld } from '../context.js';
import { judgeAgents } from '../doctor-agents.js';
import { json, out, styled } from '../print.js';
import { toolPath } from '../tool-path.js';
import { trackedRootNotice } from '../tracked-root.js';
import { openConfigured } from '../watched.js';
import { schedulerWorld } from './schedule.js';

/** Options of `debate doctor`. */
export interface DoctorOptions extends ChannelOptions {
  readonly config: string;
}

/** `debate doctor`: says what is wrong before the night does; 4 when something will not work. */
export async function doctorCommand(options: DoctorOptions): Promise<ExitCode> {
  const { channel, config } = openConfigured(options, options.config);
  const { disk, machine } = readingWorld;
  const now = machine.now();
  const daemon = presenceOf(config.statePath, machine);
  const machineFindings = await diagnoseMachine(config, {
    ...schedulerWorld(),
    now,
    platform: process.platform,
    nodeVersion: process.versions.node,
    node: realpathSync(process.execPath),
    tool: toolPath(),
    channelId: channel.paths.id,
    lastTickAt: lastTickAt(config.statePath),
    daemon: daemon && `debate watch, process ${daemon.pid} on ${daemon.host} since ${daemon.since}`,
  });
  const findings = [
    ok('config', `${config.path} is as it should be`),
    ...judgeRecord(disk, channel),
    judgeLock(disk, channel, now),
    judgeTracked(channel.paths.root),
    ...judgeChecks(channel, config),
    judgeSeats(config),
    ...(await judgeAgents(channel, config)),
    ...machineFindings,
  ];
  const problems = findings.filter((finding) => finding.level === 'problem').length;
  if (options.json) json({ root: channel.paths.root, config: config.path, problems, findings });
  else for (const finding of findings) for (const line of linesOf(finding)) out(line);
  return problems > 0 ? EXIT.look : EXIT.done;
}

function judgeTracked(root: string): Finding {
  const notice = trackedRootNotice(root);
  if (notice === undefined) return ok('root', 'no branch switch takes the record back');
  return warning('root', notice.text, notice.remedy);
}

function linesOf(finding: Finding): readonly string[] {
  const { level, about, text } = finding;
  const style = level === 'ok' ? 'green' : level === 'warning' ? 'yellow' : 'red';
  const head = `${styled(style, level.padEnd(8))} ${visibleLine(about)}: ${visibleLine(text)}`;
  return finding.level === 'ok' ? [head] : [head, `         -> ${visibleLine(finding.remedy)}`];
}
