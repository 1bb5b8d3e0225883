import { HARNESSES, type HarnessName } from './harnesses.js';

// The families of models that a harness of many vendors is mostly pointed at.
const FAMILIES: readonly (readonly [RegExp, string])[] = [
  [/claude|anthropic/i, 'Anthropic'],
  [/\bgpt|codex|openai|(?:^|\/)o\d/i, 'OpenAI'],
  [/gemini|gemma|google/i, 'Google'],
  [/qwen/i, 'Alibaba'],
  [/glm/i, 'Zhipu'],
  [/kimi|moonshot/i, 'Moonshot'],
  [/deepseek/i, 'DeepSeek'],
  [/mistral|codestral|devstral/i, 'Mistral'],
  [/llama/i, 'Meta'],
  [/grok/i, 'xAI'],
];

/**
 * Who made the model behind a seat, as far as names tell: the model's family, else the harness's own vendor. Undefined
 * where neither says; a harness that was pointed at another endpoint cannot be seen here.
 */
export function vendorOf(harness: HarnessName, model: string | undefined): string | undefined {
  const family = model === undefined ? undefined : FAMILIES.find(([pattern]) => pattern.test(model));
  return family?.[1] ?? HARNESSES[harness].vendor;
}
