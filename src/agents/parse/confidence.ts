const LITERAL = /(?<![\p{L}\p{N}])confidence: (\d+)%/iu;
const WITH_MARKDOWN = /(?<![\p{L}\p{N}])confidence[*_]*:[ \t*_]*(\d+(?:\.\d+)?)[*_]*[ \t\u00a0]*[*_]*%/iu;

const UNSTATED = 0.5;

/**
 * The confidence in a judge's answer, 0 to 1: the first literal `Confidence: NN%`, ignoring case, else the first with
 * markdown emphasis, other white space or a decimal fraction; 0.5 where there is none (rule D19).
 */
export function confidenceOf(answer: string): number {
  const percent = (LITERAL.exec(answer) ?? WITH_MARKDOWN.exec(answer))?.[1];
  return percent === undefined ? UNSTATED : Math.min(1, Number(percent) / 100);
}
