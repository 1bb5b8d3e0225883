#!/usr/bin/env node
// Starts the tool. CommonJS, since Node's loader of ES modules costs a start ten milliseconds; and with the code as V8 compiled it
// when the tool was built, since compiling costs fifteen. Another version of Node rejects that and compiles as usual.
const { existsSync, readFileSync } = require('node:fs');
const { Script } = require('node:vm');

const folder = `${__dirname}/start`;
const [, , asked = ''] = process.argv;
const name = /^[a-z-]+$/.test(asked) && existsSync(`${folder}/${asked}.cjs`) ? asked : 'other';
const filename = `${folder}/${name}.cjs`;

function compiled() {
  try {
    return readFileSync(`${folder}/${name}.compiled`);
  } catch {
    return undefined;
  }
}

const script = new Script(readFileSync(filename, 'latin1'), { filename, cachedData: compiled() });
script.runInThisContext()(require, filename, (what) => import(what));
