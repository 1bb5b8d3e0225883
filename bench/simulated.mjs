// Simulated debaters: script models whose answers are right with a given probability, err together to a given degree,
// and take over what they read to a given degree. They read the real prompts of the executors.

/** A repeatable stream of numbers from 0 to 1 for each name, so that every variant meets the same first answers. */
export function streamOf(...names) {
  let state = 2166136261;
  for (const character of names.join('/')) state = Math.imul(state ^ character.charCodeAt(0), 16777619) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const OPTIONS = ['A', 'B', 'C', 'D'];

/** The right answer to every simulated question. */
export const RIGHT = 'A';

function draw(accuracy, rng) {
  return rng() < accuracy ? RIGHT : OPTIONS[1 + Math.floor(rng() * 3)];
}

function otherThan(answer, accuracy, rng) {
  if (answer !== RIGHT && rng() < accuracy) return RIGHT;
  const wrong = OPTIONS.filter((option) => option !== RIGHT && option !== answer);
  return wrong[Math.floor(rng() * wrong.length)];
}

function model(name, counter, reply) {
  return {
    name,
    complete: async ({ prompt }) => {
      counter.calls += 1;
      const usage = { inputTokens: undefined, outputTokens: undefined };
      return { text: reply(prompt), usage, model: name, durationSeconds: 0, finish: 'stop' };
    },
  };
}

/** What the other debaters, or the sides of a debate, answer in a prompt, in the order in which it shows them. */
function answersIn(prompt) {
  const texts = [...prompt.matchAll(/<(agent_answer|turn|\w+_argument)>\n([\s\S]*?)\n<\/\1>/g)].map(
    ([, , text]) => text,
  );
  return texts.map((text) => /Answer: ([A-D])/.exec(text)?.[1]).filter((answer) => answer !== undefined);
}

/**
 * One debater of one question. Its first answer is the shared draw with probability `correlation`, else its own; in a
 * round it takes over the first answer that its prompt shows with probability `conformity`, else it keeps its own.
 */
export function debater({ accuracy, correlation, conformity, seed }, question, index, counter) {
  const rng = streamOf(seed, question, 'debater', index);
  const shared = draw(accuracy, streamOf(seed, question, 'shared'));
  const own = draw(accuracy, rng);
  let held = rng() < correlation ? shared : own;
  return model(`debater ${index}`, counter, (prompt) => {
    const [read] = answersIn(prompt);
    if (read !== undefined && rng() < conformity) held = read;
    return `I have looked at it.\nAnswer: ${held}`;
  });
}

/** A debater that argues for another answer than the one it last read. */
export function contrarian({ accuracy, seed }, question, counter) {
  const rng = streamOf(seed, question, 'contrarian');
  let held;
  return model('contrarian', counter, (prompt) => {
    held ??= otherThan(answersIn(prompt).at(-1), accuracy, rng);
    return `There is a flaw in that.\nAnswer: ${held}`;
  });
}

/** Picks the right answer among those it reads with probability `judgeAccuracy`, if it is among them. */
function judged(prompt, judgeAccuracy, rng) {
  const read = [...new Set(answersIn(prompt))];
  const wrong = read.filter((answer) => answer !== RIGHT);
  if (read.includes(RIGHT) && (wrong.length === 0 || rng() < judgeAccuracy)) return RIGHT;
  return wrong[Math.floor(rng() * wrong.length)] ?? RIGHT;
}

/** A judge that replies in the form that its prompt asks for. */
export function judge({ judgeAccuracy, seed }, question, counter) {
  const rng = streamOf(seed, question, 'judge');
  return model('judge', counter, (prompt) => {
    const answer = judged(prompt, judgeAccuracy, rng);
    if (prompt.includes('1. VERDICT')) return `1. VERDICT\n${answer}\n5. CONFIDENCE\nConfidence: 80%`;
    const decided = prompt.includes('you must pick') || rng() < 0.5;
    return JSON.stringify({ decided, answer, why: 'It is better supported.', reason: 'It is better supported.' });
  });
}

/** A producer that draws anew in every iteration. */
export function producer({ accuracy, seed }, question, counter) {
  const rng = streamOf(seed, question, 'debater', 0);
  return model('producer', counter, () => draw(accuracy, rng));
}

/** A reviewer that tells a right draft from a wrong one with probability `judgeAccuracy`. */
export function reviewer({ judgeAccuracy, seed }, question, counter) {
  const rng = streamOf(seed, question, 'reviewer');
  return model('reviewer', counter, (prompt) => {
    const isRight = prompt.includes(`<draft>\n${RIGHT}\n</draft>`);
    return `APPROVED: ${rng() < judgeAccuracy === isRight ? 'yes' : 'no'}\nFEEDBACK: Look again.`;
  });
}
