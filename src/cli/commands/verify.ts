import { EXIT, type ExitCode } from '../../protocol/core/refusal.js';
import { visibleLine } from '../../protocol/core/visible.js';
import { type Finding, verify } from '../../protocol/verify.js';
import { type ChannelOptions, openContext } from '../context.js';
import { count, json, out, progressLine, styled } from '../print.js';
import { dieOnInterrupt } from '../streams.js';

/** `debate verify`: exit 4 when there is a defect, 0 for information alone. */
export function verifyCommand(options: ChannelOptions): ExitCode {
  const { world, channel } = openContext(options);
  dieOnInterrupt();
  const progress = progressLine('verifying');
  const { findings, entries, seq } = verify(world.disk, channel, progress.update);
  progress.end();
  const defects = findings.filter((finding) => finding.level === 'defect');
  if (options.json)
    json({ root: channel.paths.root, channel: channel.paths.id, entries, seq, defects: defects.length, findings });
  else {
    for (const finding of findings) out(findingText(finding));
    out(
      defects.length === 0
        ? styled('green', `the record verifies: ${count(entries, 'entry', 'entries')}, up to MSG-${seq}`)
        : styled(
            'red',
            `${count(defects.length, 'defect', 'defects')} in ${count(entries, 'entry', 'entries')}, up to MSG-${seq}`,
          ),
    );
  }
  return defects.length > 0 ? EXIT.look : EXIT.done;
}

function findingText(finding: Finding): string {
  const level = finding.level === 'defect' ? styled('red', 'defect') : styled('dim', 'info');
  return `${level}  ${finding.file}:${finding.line}  ${finding.rule}  ${visibleLine(finding.message)}`;
}
