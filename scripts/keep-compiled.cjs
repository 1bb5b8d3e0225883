// Preloaded by the build: keeps what V8 compiled of a start file, beside it.
const { writeFileSync } = require('node:fs');
const vm = require('node:vm');

vm.Script = class extends vm.Script {
  constructor(source, options) {
    super(source, options);
    process.on('exit', () => writeFileSync(options.filename.replace(/cjs$/, 'compiled'), this.createCachedData()));
  }
};
