import { certainSecret } from '../secret-shapes.js';

/** What the scanner knows and our table of shapes cannot tell alone: only what this hits is worth loading it for (field case R11). */
const SUSPICIOUS =
  /gh[pousr]_|github_pat_|A(?:KIA|SIA|GPA|IDA|ROA)[A-Z0-9]|(?:aws|AWS).{0,30}[A-Za-z0-9/+=]{40}|xox[abposr]-|hooks\.slack\.com|sk-[A-Za-z0-9_-]{16}|npm_[A-Za-z0-9]{30}|_authToken|SG\.[A-Za-z0-9_-]{20}|:\/\/[^\s/:@]+:[^\s/@]+@|shp(?:at|ca|pa|ss)_|lin_api_/;

/**
 * The name of the shape that something in the text certainly has, else of the rule by which a well-kept scanner takes
 * something for a secret, or undefined. The secret itself is never returned.
 */
export async function findSecret(text: string): Promise<string | undefined> {
  const certain = certainSecret(text);
  if (certain !== undefined || !SUSPICIOUS.test(text)) return certain;
  const [{ lintSource }, { creator }] = await Promise.all([
    import('@secretlint/core'),
    import('@secretlint/secretlint-rule-preset-recommend'),
  ]);
  const result = await lintSource({
    source: { filePath: 'draft.txt', content: text, contentType: 'text', ext: '.txt' },
    options: {
      config: { rules: [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: creator }] },
      maskSecrets: true,
    },
  });
  return result.messages[0]?.ruleId.replace(/^@secretlint\/secretlint-rule-/, '');
}
