/** How a project runs its tests, and what makes a fresh checkout ready for it. */
export interface TestCommand {
  readonly command: readonly string[];
  readonly setup: readonly string[] | undefined;
}

/**
 * How a project of this kind runs its tests, from the names in its top folder and the text of its package.json. A guess,
 * shown before it is written. Undefined where nothing is known.
 */
export function detectTests(names: ReadonlySet<string>, packageJson: string | undefined): TestCommand | undefined {
  if (packageJson !== undefined && hasTestScript(packageJson))
    return { command: ['npm', 'test'], setup: setupOf(names) };
  if (names.has('Cargo.toml')) return { command: ['cargo', 'test'], setup: undefined };
  if (names.has('go.mod')) return { command: ['go', 'test', './...'], setup: undefined };
  if (names.has('pytest.ini') || names.has('pyproject.toml')) return { command: ['pytest'], setup: undefined };
  return undefined;
}

/** What makes a fresh checkout ready to run anything. */
export function setupOf(names: ReadonlySet<string>): readonly string[] | undefined {
  return names.has('package-lock.json') ? ['npm', 'ci'] : undefined;
}

function hasTestScript(text: string): boolean {
  try {
    const { scripts } = JSON.parse(text) as { scripts?: { test?: unknown } };
    return typeof scripts?.test === 'string' && !scripts.test.includes('no test specified');
  } catch {
    return false;
  }
}
