import { type ScheduleEntry, type ScheduleRequest, scheduleEntry } from '../../../src/watcher/schedule/entry.js';

export const request: ScheduleRequest = {
  key: 'collab-0a1b2c3d',
  root: '/home/ann/projects/shop/collab',
  config: '/home/ann/projects/shop/watcher.json',
  channelId: '',
  schedule: '*/3 * * * *',
  node: '/usr/bin/node',
  tool: '/usr/lib/node_modules/debate-channel/dist/cli/main.cjs',
  environment: { PATH: '/home/ann/.local/bin:/usr/bin:/bin' },
};

/** Everything that a path may hold and that some scheduler or shell gives a meaning to. */
export const difficult: Partial<ScheduleRequest> = {
  key: 'collab-ffffffff',
  root: `/home/ann/100% "sure", it's a $HOME/日本語 \\n & <b>; #1`,
  config: `/home/ann/100%%/\`date\` $(date) \${HOME} *?[]!/watcher.json`,
  environment: { PATH: '/opt/50% off:/usr/bin', XDG_STATE_HOME: '/home/ann/my state' },
};

/** The entry of a request that must be good. */
export function entryOf(change: Partial<ScheduleRequest> = {}): ScheduleEntry {
  const entry = scheduleEntry({ ...request, ...change });
  if ('problem' in entry) throw new Error(entry.problem);
  return entry;
}
