import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/system/**', 'test/proof/**', 'test/harness/**', 'test/fixtures/**'],
    globalSetup: ['test/setup/build.ts'],
    setupFiles: ['test/setup/environment.ts'],
    // Real processes on a busy machine take as long as they take; what is slow is measured in bench/.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // A file of its own process each would load and warm up the same code 170 times.
    isolate: false,
    // Extra certificates cost every start of node forty milliseconds, and no test here leaves the machine.
    env: { NODE_EXTRA_CA_CERTS: '' },
    // One more than the two cores that it is meant for: many tests wait for what they started.
    maxWorkers: 3,
  },
});
