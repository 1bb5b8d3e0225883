import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/proof/**/*.test.ts'],
    globalSetup: ['test/setup/build.ts'],
    setupFiles: ['test/setup/environment.ts'],
    testTimeout: 600_000,
    hookTimeout: 180_000,
    maxWorkers: 2,
  },
});
