import { HARNESSES } from '../harness/harnesses.js';
import { vendorOf } from '../harness/vendor.js';
import type { Answers, Found } from './answers.js';

/** What a person should know before these answers are written: each a sentence; none keeps setup from going on. */
export function concernsOf(answers: Answers, found: Found): readonly string[] {
  return [...sameMind(answers), ...notFound(answers, found), ...nobodyWakes(answers), ...oneFolder(answers)];
}

// A reviewer that shares the author's blind spots approves them.
function sameMind({ seats: [builder, reviewer] }: Answers): readonly string[] {
  if (builder.harness === 'other' || reviewer.harness === 'other') return [];
  if (builder.harness === reviewer.harness && builder.model === reviewer.model) {
    const what = builder.model ?? `whatever ${HARNESSES[builder.harness].title} runs by default`;
    return [`Both seats share one model (${what}): a reviewer with the author's blind spots approves them.`];
  }
  const vendor = vendorOf(builder.harness, builder.model);
  if (vendor === undefined || vendor !== vendorOf(reviewer.harness, reviewer.model)) return [];
  return [`Both seats share one vendor (${vendor}): models of one family tend to make the same mistakes.`];
}

function notFound({ seats }: Answers, found: Found): readonly string[] {
  return seats.flatMap(({ harness, mode, party }) =>
    harness === 'other' || mode === 'live' || found.harnesses.includes(harness)
      ? []
      : [`${HARNESSES[harness].title} (${harness}) is not on the PATH: install it before ${party} is woken.`],
  );
}

function nobodyWakes({ seats }: Answers): readonly string[] {
  if (seats.some(({ mode }) => mode !== 'live')) return [];
  return ['Both seats are live: the watcher mirrors entries and wakes nobody.'];
}

// Both would be registered under one name in one folder, and the second would replace the first.
function oneFolder({ seats: [builder, reviewer] }: Answers): readonly string[] {
  const areLive = builder.mode !== 'headless' && reviewer.mode !== 'headless';
  if (!areLive || builder.harness === 'other' || builder.harness !== reviewer.harness) return [];
  return [
    `Both live sessions are ${HARNESSES[builder.harness].title}: start them in two folders, and register each party in its own.`,
  ];
}
