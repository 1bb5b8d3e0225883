/** A cheap look: only what it hits is worth loading a scanner for (field case R11). */
const SUSPICIOUS =
  /gh[pousr]_|github_pat_|glpat-|A(?:KIA|SIA|GPA|IDA|ROA)[A-Z0-9]|aws.{0,30}[A-Za-z0-9/+=]{40}|-----BEGIN [A-Z ]*PRIVATE KEY|xox[abposr]-|hooks\.slack\.com|sk-[A-Za-z0-9_-]{16}|npm_[A-Za-z0-9]{30}|_authToken|SG\.[A-Za-z0-9_-]{20}|AIza[A-Za-z0-9_-]{30}|:\/\/[^\s/:@]+:[^\s/@]+@|shp(?:at|ca|pa|ss)_|sl\.[A-Za-z0-9_-]{60}|lin_api_|hf_[A-Za-z0-9]{30}|eyJ[A-Za-z0-9_-]{10,}\.eyJ/;

/** True when a scanner should look at the text. */
export function looksSecret(text: string): boolean {
  return SUSPICIOUS.test(text);
}

/**
 * The name of the rule by which a well-kept scanner takes something in the text for a secret, or undefined. The secret
 * itself is never returned. Shapes that the scanner's preset does not know are named by the cheap look alone.
 */
export async function findSecret(text: string): Promise<string | undefined> {
  if (!looksSecret(text)) return undefined;
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
  const found = result.messages[0];
  if (found) return found.ruleId.replace(/^@secretlint\/secretlint-rule-/, '');
  return certain(text);
}

/** Shapes that are never anything else. */
function certain(text: string): string | undefined {
  if (/\bgh[pousr]_[A-Za-z0-9]{36}/.test(text)) return 'github';
  if (/\bA(?:KIA|SIA)[A-Z0-9]{16}\b/.test(text)) return 'aws';
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text)) return 'privatekey';
  return undefined;
}
