import { visible } from '../../protocol/core/visible.js';
import type { Place } from '../../setup/place.js';
import type { Finding } from '../../watcher/doctor/finding.js';
import { styled } from '../print.js';
import { runTool } from './run-tool.js';
import type { Tell } from './show-plan.js';

/** The options by which a command finds this machine's config, and the channel where a folder holds several. */
export function configArguments(place: Place): readonly string[] {
  return ['--config', place.config, ...(place.channelId === '' ? [] : ['--channel', place.channelId])];
}

/** Installs the watcher's tick in this machine's scheduler (`debate schedule install`), or tells why that cannot be. */
export async function installSchedule(tell: Tell, place: Place): Promise<void> {
  const ran = await runTool(place, place.workFolder, ['schedule', 'install', ...configArguments(place)]);
  for (const line of `${ran.stdout}${ran.stderr}`.trimEnd().split('\n')) tell(visible(line));
}

/** Runs `debate doctor` and tells what is not well; true if nothing is a problem. */
export async function examine(tell: Tell, place: Place): Promise<boolean> {
  const ran = await runTool(place, place.workFolder, ['doctor', ...configArguments(place), '--json']);
  const findings = findingsIn(ran.stdout);
  if (findings === undefined) {
    tell(`doctor: ${visible(ran.stderr.trim())}`);
    return false;
  }
  tell(`doctor: ${findings.filter(({ level }) => level === 'ok').length} of ${findings.length} well`);
  for (const finding of findings) {
    if (finding.level === 'ok') continue;
    const style = finding.level === 'problem' ? 'red' : 'yellow';
    tell(styled(style, `  ${finding.level}: ${visible(finding.text)}`));
    tell(`    ${visible(finding.remedy)}`);
  }
  return ran.code === 0;
}

function findingsIn(text: string): readonly Finding[] | undefined {
  try {
    return (JSON.parse(text) as { readonly findings?: readonly Finding[] }).findings;
  } catch {
    return undefined;
  }
}
