import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/system/**', 'test/proof/**', 'test/harness/**', 'test/fixtures/**'],
    globalSetup: ['test/setup/build.ts'],
    setupFiles: ['test/setup/environment.ts'],
    testTimeout: 30_000,
    // Extra certificates cost every start of node forty milliseconds, and no test here leaves the machine.
    env: { NODE_EXTRA_CA_CERTS: '' },
    maxWorkers: 2,
  },
});
