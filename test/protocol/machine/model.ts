/** What a channel must say, told once more in the plainest way: no hashes, no files, a list of what was said. */

export const ANN = 'ann';
export const BOB = 'bob';
export const OWNER = 'owner';
export const CAP = 4;

export interface Said {
  readonly sender: string;
  readonly type: string;
  readonly thread: string | undefined;
  readonly ask: boolean;
  readonly force: boolean;
  readonly turn: string | undefined;
  readonly cap: number | undefined;
  readonly accept: boolean;
}

export interface Place {
  readonly thread: string;
  readonly turn: string;
  readonly spoken: number;
  readonly cap: number | undefined;
  readonly asked: boolean;
  readonly lastClosed: string;
  readonly corrections: number;
}

const NOWHERE: Place = {
  thread: '',
  turn: '',
  spoken: 0,
  cap: undefined,
  asked: false,
  lastClosed: '',
  corrections: 0,
};

/** One entry that counts: its key, and where the channel stood after it. */
export interface Recorded {
  readonly key: string;
  readonly after: Place;
}

export class Model {
  entries: readonly Recorded[] = [];
  /** A defect lies behind the last close or acceptance. */
  stopped = false;
  /** The doorbell's seq; undefined where there is none. */
  bell: number | undefined = 0;
  /** An entry was edited at some time, so that `verify` has something to say for ever. */
  edited = false;
  copies: readonly {
    readonly entries: readonly Recorded[];
    readonly stopped: boolean;
    readonly bytes: Buffer;
    readonly generation: number;
  }[] = [];
  /** Compactions so far: a copy from before one does not fit the archive. */
  generation = 0;

  get place(): Place {
    return this.entries.at(-1)?.after ?? NOWHERE;
  }
  get seq(): number {
    return this.entries.length;
  }
  /** The doorbell proves that the record went back. */
  get wentBack(): boolean {
    return this.bell !== undefined && this.bell > this.seq;
  }
}

/** The code by which what is said must be refused, or undefined. */
export function refusalOf(model: Model, said: Said): string | undefined {
  if (model.wentBack) return 'record-went-back';
  return partyRefusal(model, said) ?? (said.accept ? acceptanceRefusal(said) : turnRefusal(model.place, said));
}

function partyRefusal({ place, stopped }: Model, said: Said): string | undefined {
  const isOwner = said.sender === OWNER;
  if (!isOwner && (said.force || said.accept)) return 'supervisor-only';
  if (stopped && !isOwner) return 'record-stopped';
  if ((said.thread ?? place.thread) === '') return 'thread-needed';
  if (said.accept && !stopped) return 'nothing-to-accept';
  if (!isOwner && (said.turn !== undefined || said.cap !== undefined)) return 'supervisor-only';
  return isOwner && said.ask ? 'party-only' : undefined;
}

function acceptanceRefusal(said: Said): string | undefined {
  return said.type === 'close' || said.turn !== undefined ? undefined : 'accept-needs-turn';
}

function turnRefusal(place: Place, said: Said): string | undefined {
  const isOwner = said.sender === OWNER;
  const thread = said.thread ?? place.thread;
  if (place.thread === '') return openingRefusal(place, said, thread, isOwner);
  if (thread !== place.thread) {
    const isAside = isOwner && said.force && said.turn === undefined && said.cap === undefined;
    return isAside ? undefined : 'thread-open';
  }
  if (isOwner) return said.cap !== undefined && said.cap <= (place.cap ?? CAP) ? 'cap-not-longer' : undefined;
  if (place.turn !== '' && place.turn !== said.sender) return 'not-your-turn';
  return place.spoken >= (place.cap ?? CAP) && said.type !== 'close' ? 'at-cap' : undefined;
}

function openingRefusal(place: Place, said: Said, thread: string, isOwner: boolean): string | undefined {
  if (said.type === 'close') {
    if (thread === place.lastClosed) return 'already-closed';
    return !isOwner && place.corrections >= CAP ? 'too-many-corrections' : undefined;
  }
  if (said.type === 'verdict' || said.type === 'fix-report') return 'cannot-open';
  return isOwner && said.turn === undefined ? 'turn-required' : undefined;
}

/** Records what was admitted. */
export function record(model: Model, said: Said, key: string): void {
  const { place } = model;
  const thread = said.thread ?? place.thread;
  const isAside = !said.accept && place.thread !== '' && thread !== place.thread;
  if (said.accept || (said.type === 'close' && !isAside)) model.stopped = false;
  model.entries = [...model.entries, { key, after: isAside ? place : moved(place, said, thread) }];
  model.bell = model.seq;
}

function moved(place: Place, said: Said, thread: string): Place {
  const isOwner = said.sender === OWNER;
  if (said.type === 'close') {
    const wasOpen = place.thread !== '' || said.accept;
    return { ...NOWHERE, lastClosed: thread, corrections: wasOpen ? 0 : place.corrections + 1 };
  }
  const opens = said.accept || place.thread === '';
  const before: Place = opens ? { ...NOWHERE, thread, lastClosed: place.lastClosed } : place;
  if (isOwner) return { ...before, turn: said.turn ?? before.turn, cap: said.cap ?? before.cap, asked: false };
  return {
    ...before,
    turn: said.sender === ANN ? BOB : ANN,
    spoken: before.spoken + 1,
    asked: said.ask || before.asked,
  };
}
