import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/system/**/*.test.ts'],
    globalSetup: ['test/setup/build.ts', 'test/setup/cron-daemon.ts'],
    setupFiles: ['test/setup/environment.ts'],
    testTimeout: 600_000,
    hookTimeout: 180_000,
    maxWorkers: 2,
  },
});
