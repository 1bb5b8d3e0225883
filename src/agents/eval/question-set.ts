import { readFile } from 'node:fs/promises';
import * as z from 'zod/mini';

/** The five kinds of question (rule E1). */
export const questionKinds = ['lookup', 'multi-hop', 'numeric', 'unanswerable', 'conflicting'] as const;

/** One of the five kinds. */
export type QuestionKind = (typeof questionKinds)[number];

const isPattern = (source: string) => {
  try {
    new RegExp(source, 'i');
    return true;
  } catch {
    return false;
  }
};
const patterns = z._default(z.array(z.string().check(z.refine(isPattern, 'expected a regular expression'))), []);

const question = z
  .strictObject({
    id: z.string().check(z.regex(/^[A-Za-z0-9-]+$/)),
    kind: z.enum(questionKinds),
    question: z.string().check(z.minLength(1)),
    grading: z.enum(['exact', 'rubric']),
    accept: patterns,
    require: patterns,
    reject: patterns,
    rubric: z.optional(z.string().check(z.minLength(1))),
    sources: z.array(z.string()),
    reference: z.string(),
  })
  .check(
    z.refine(
      (q) => (q.grading === 'rubric') === (q.rubric !== undefined),
      'a rubric question has "rubric", no other has',
    ),
    z.refine(
      (q) => q.grading === 'rubric' || q.kind === 'unanswerable' || q.accept.length > 0,
      'an exact question needs "accept"',
    ),
  );

/** The file of a question set: patterns are regular expressions that ignore case. */
export const questionSetSchema = z
  .strictObject({
    name: z.string(),
    /** The folder of documents, relative to the file. */
    corpus: z.string(),
    /** What an answer says that it has none; shared by all unanswerable questions. */
    abstain: patterns,
    questions: z.array(question).check(z.minLength(1)),
  })
  .check(
    z.refine(
      (set) => new Set(set.questions.map((q) => q.id)).size === set.questions.length,
      'two questions have the same "id"',
    ),
  );

/** A set of questions with what a right answer looks like. */
export type QuestionSet = z.output<typeof questionSetSchema>;
/** One question of a set. `reference` is an answer that a person holds right. */
export type Question = QuestionSet['questions'][number];

/** Reads and checks a file of questions. */
export async function readQuestionSet(file: string): Promise<QuestionSet> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`The questions cannot be read (${why}); check the file ${file}.`);
  }
  const read = questionSetSchema.safeParse(value);
  if (read.success) return read.data;
  const issue = read.error.issues[0];
  throw new Error(`${file} is no set of questions: at ${issue?.path.join('.') || 'the top'} ${issue?.message}.`);
}
