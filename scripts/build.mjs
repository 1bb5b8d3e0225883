// Bundles the tool (DESIGN.md 9). A start costs what it loads: every file half a millisecond, and Node's loader of ES modules ten.
// So the commands that run often are one CommonJS file each, with the command line in it; all the rest is one graph of ES
// modules with shared chunks, loaded when it is asked for.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const hot = ['status', 'read', 'post', 'watch-once', 'hook', 'wait'];
const program = 'src/cli/main.ts';
const library = ['src/protocol/index.ts', 'src/watcher/index.ts', 'src/agents/index.ts'];
/** What only few runs of a hot command need and every start would pay for: loaded when it is first used. */
const late = ['node:child_process', 'node:net', 'node:os'];
const lateLock = {
  name: 'late-lock',
  setup: (builder) => {
    builder.onResolve({ filter: /^proper-lockfile$/ }, ({ importer, resolveDir }) =>
      importer.endsWith('.ts') ? { path: resolveDir, namespace: 'late-lock' } : undefined,
    );
    builder.onLoad({ filter: /./, namespace: 'late-lock' }, ({ path }) => ({
      contents: ['lock', 'unlock', 'check', 'lockSync', 'unlockSync', 'checkSync']
        .map((name) => `exports.${name} = (...args) => require('proper-lockfile').${name}(...args);`)
        .join('\n'),
      resolveDir: path,
    }));
    // signal-exit, which the lock uses, checks one argument with it; Node loads a dozen files for that.
    builder.onResolve({ filter: /^assert$/ }, () => ({ path: 'assert', namespace: 'assert' }));
    builder.onLoad({ filter: /./, namespace: 'assert' }, () => ({
      contents: 'exports.equal = (a, b, message) => { if (a !== b) throw new TypeError(message); };',
    }));
  },
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
    'node-cron',
  ],
  loader: { '.md': 'text', '.txt': 'text' },
};
/** proper-lockfile is CommonJS and calls require for node's own modules. */
const modules = {
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module';const require = __createRequire(import.meta.url);",
  },
};
/** One function, which src/cli/start.cjs calls. */
const commonJs = {
  format: 'cjs',
  splitting: false,
  minify: true,
  // The lock's file system: what it adds, a queue where too many files are open, no command that ends at once needs.
  alias: { 'graceful-fs': 'node:fs' },
  define: { ...options.define, 'import.meta.url': '__file.url' },
  banner: {
    js: `(function (require, __filename, __load, module = { exports: {} }) {
const __file = { get url() { return require('node:url').pathToFileURL(__filename).href; } };
const __late = (name) => new Proxy({}, { get: (_, key) => require(name)[key] });`,
  },
  footer: { js: '})' },
};

/** Leaves what is loaded lazily to the graph of all the rest, but for the command `name`; notes which files those are. */
function outside(name, noted) {
  return {
    name: 'outside',
    setup: (builder) =>
      builder.onResolve({ filter: /^\./ }, ({ path, kind, resolveDir }) => {
        const source = relative(root, resolve(resolveDir, path)).replace(/\.js$/, '.ts');
        if (kind !== 'dynamic-import' || source === `src/cli/commands/${name}.ts`) return undefined;
        noted.add(source);
        return { path: `./${relative('src/cli', source).replace(/\.ts$/, '.js')}`, external: true };
      }),
  };
}

rmSync(`${root}dist`, { recursive: true, force: true });
const cold = new Set();
for (const name of [...hot, 'other']) {
  const file = `${root}dist/cli/start/${name}.cjs`;
  await build({
    ...options,
    ...commonJs,
    entryPoints: { [`cli/start/${name}`]: program },
    outExtension: { '.js': '.cjs' },
    plugins: [lateLock, outside(name, cold)],
  });
  // A script that V8 compiled before cannot import; the file that starts it does it for it.
  const text = readFileSync(file, 'utf8').replace(/\bimport\((?=")/g, '__load(');
  writeFileSync(
    file,
    text.replace(/\brequire\((?="([^"]+)"\))/g, (call, name) => (late.includes(name) ? '__late(' : call)),
  );
}
await build({ ...options, ...modules, entryPoints: [...cold] });
// A process of its own for every check.
await build({ ...options, ...modules, splitting: false, entryPoints: ['src/evidence/runner.ts'] });
// The library shares no chunks with the program: the more entries a chunk serves, the smaller it is cut.
await build({ ...options, ...modules, entryPoints: library });
copyFileSync(`${root}src/cli/start.cjs`, `${root}dist/cli/main.cjs`);
chmodSync(`${root}dist/cli/main.cjs`, 0o755);
keepCompiled();

/** Runs each hot command once, idle, in a channel of its own, and keeps what V8 compiled for it. */
function keepCompiled() {
  const scratch = mkdtempSync(join(tmpdir(), 'debate-build-'));
  const main = `${root}dist/cli/main.cjs`;
  const run = (name, ...args) => {
    execFileSync(process.execPath, ['--require', `${root}scripts/keep-compiled.cjs`, main, name, ...args], {
      cwd: scratch,
      env: { PATH: process.env.PATH, HOME: scratch },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  };
  writeFileSync(join(scratch, 'watcher.json'), '{ "root": "channel", "parties": {} }');
  run('init', '--root', 'channel', '--parties', 'a,b', '--supervisor', 'owner');
  run('post', '--as', 'a', '--type', 'question', '--thread', 'first', '--body', 'one', '--root', 'channel');
  run('read', '--root', 'channel');
  run('status', '--root', 'channel');
  run('watch-once', '--config', 'watcher.json');
  run('wait', '--as', 'b', '--root', 'channel');
  run('hook', 'stop', '--as', 'a', '--format', 'claude', '--root', 'channel');
  run('threads', '--root', 'channel');
  rmSync(scratch, { recursive: true, force: true });
}
