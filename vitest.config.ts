import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/system/**', 'test/proof/**', 'test/harness/**', 'test/fixtures/**'],
    globalSetup: ['test/setup/build.ts'],
    setupFiles: ['test/setup/environment.ts'],
    testTimeout: 30_000,
    maxWorkers: 2,
  },
});
