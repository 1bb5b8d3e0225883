// Bundles the tool: one ESM graph with shared chunks, so that a command loads only what it needs (DESIGN.md 9).
import { chmodSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const entries = [
  'src/cli/main.ts',
  'src/protocol/index.ts',
  'src/watcher/index.ts',
  'src/agents/index.ts',
  'src/evidence/runner.ts',
].filter((file) => existsSync(root + file));

/**
 * Commander loads child_process for a kind of subcommand that this tool has not, which costs every start a fifth of its
 * time: load it when it is asked for.
 */
const lazyChildProcess = {
  name: 'lazy-child-process',
  setup: (builder) =>
    builder.onLoad({ filter: /[\\/]commander[\\/]lib[\\/]command\.js$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      const contents = text.replace(
        "const childProcess = require('node:child_process');",
        "const childProcess = { spawn: (...args) => require('node:child_process').spawn(...args) };",
      );
      if (contents === text) throw new Error('commander loads child_process in another way now');
      return { contents };
    }),
};

rmSync(`${root}dist`, { recursive: true, force: true });
await build({
  absWorkingDir: root,
  entryPoints: entries,
  outbase: 'src',
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  minifySyntax: true,
  define: { DEBATE_VERSION: JSON.stringify(JSON.parse(readFileSync(`${root}package.json`, 'utf8')).version) },
  chunkNames: 'chunks/[name]-[hash]',
  // Cold packages stay in node_modules and are imported lazily; the hot ones are bundled for a fast start.
  external: [
    'ai',
    '@ai-sdk/openai-compatible',
    '@modelcontextprotocol/*',
    '@clack/prompts',
    '@secretlint/*',
    'minisearch',
    'execa',
    'node-cron',
  ],
  plugins: [lazyChildProcess],
  loader: { '.md': 'text', '.txt': 'text' },
  // proper-lockfile is CommonJS and calls require for node's own modules.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module';const require = __createRequire(import.meta.url);",
  },
});
if (existsSync(`${root}dist/cli/main.js`)) chmodSync(`${root}dist/cli/main.js`, 0o755);
