import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/harness/**/*.test.ts'],
    globalSetup: ['test/setup/build.ts'],
    setupFiles: ['test/setup/environment.ts'],
    testTimeout: 600_000,
    // A harness is downloaded before the first of its tests.
    hookTimeout: 600_000,
    maxWorkers: 2,
  },
});
