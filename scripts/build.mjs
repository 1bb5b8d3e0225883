// Bundles the tool (DESIGN.md 9). Every file that a command loads costs its start half a millisecond, so that the commands
// which run often are one file each; all the rest is one graph with shared chunks, loaded when it is asked for.
import { chmodSync, readFileSync, rmSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const hot = [
  'src/cli/main.ts',
  ...['status', 'read', 'post', 'watch-once', 'hook', 'wait'].map((name) => `src/cli/commands/${name}.ts`),
];
const library = ['src/protocol/index.ts', 'src/watcher/index.ts', 'src/agents/index.ts'];
const built = (source) => source.replace(/^src/, 'dist').replace(/\.ts$/, '.js');

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

const options = {
  absWorkingDir: root,
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
  loader: { '.md': 'text', '.txt': 'text' },
  // proper-lockfile is CommonJS and calls require for node's own modules.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module';const require = __createRequire(import.meta.url);",
  },
};

/** Leaves what a hot file loads lazily to files of their own; notes which those are. */
function outside(entry, noted) {
  return {
    name: 'outside',
    setup: (builder) =>
      builder.onResolve({ filter: /./ }, ({ path, kind, resolveDir }) => {
        const source = relative(root, resolve(resolveDir, path)).replace(/\.js$/, '.ts');
        if (!path.startsWith('.') || !source.startsWith('src')) return undefined;
        if (source === entry || kind !== 'dynamic-import') return undefined;
        noted.add(source);
        const from = dirname(built(entry));
        const to = relative(from, built(source));
        return { path: to.startsWith('.') ? to : `./${to}`, external: true };
      }),
  };
}

rmSync(`${root}dist`, { recursive: true, force: true });
const cold = new Set(['src/evidence/runner.ts']);
for (const entry of hot)
  await build({
    ...options,
    entryPoints: [entry],
    splitting: false,
    minify: true,
    
    plugins: [lazyChildProcess, outside(entry, cold)],
  });
for (const entry of hot) cold.delete(entry);
await build({ ...options, entryPoints: [...cold] });
// The library shares no chunks with the program: the more entries a chunk serves, the smaller it is cut.
await build({ ...options, entryPoints: library });
chmodSync(`${root}dist/cli/main.js`, 0o755);
