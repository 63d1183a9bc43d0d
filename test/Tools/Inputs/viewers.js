// node viewers.js MODULES FORMAT FILE: reads a file for viewers as these do, and
// prints what it sums up to. MODULES is a folder of Node.js modules.
const childProcess = require("child_process");
const fs = require("fs");
const path = require("path");
const vm = require("vm");

const [modules, format, file] = process.argv.slice(2);
const text = fs.readFileSync(file, "utf8");

function speedscope() {
  const Ajv = require(path.join(modules, "ajv"));
  const schema = JSON.parse(fs.readFileSync(
      path.join(modules, "speedscope/dist/release/file-format-schema.json")));
  const validate = new Ajv({strict: false}).compile(schema);
  const data = JSON.parse(text);
  if (!validate(data))
    throw new Error(JSON.stringify(validate.errors));
  const result = {};
  for (const profile of data.profiles) {
    for (const stack of profile.samples)
      for (const frame of stack)
        if (!data.shared.frames[frame])
          throw new Error(`no frame ${frame}`);
    const sum = profile.weights.reduce((a, b) => a + b, 0);
    if (sum !== profile.endValue || profile.weights.length !== profile.samples.length)
      throw new Error(`${profile.name}: ${sum} of ${profile.endValue}`);
    result[profile.name] = sum;
  }
  return {sums: result, frames: data.shared.frames};
}

// The viewer is a script of a page; all but what shows something runs without.
function dhat() {
  const context = vm.createContext({document: {}});
  const viewer = fs.readFileSync("/usr/libexec/valgrind/dh_view.js", "utf8");
  vm.runInContext(viewer + `
    gSelect = {childNodes: gSelectData.map(() => ({})), selectedIndex: 0};
    function read(text) {
      gData = JSON.parse(text);
      buildTree();
      return gRoot;
    }`, context);
  const root = context.read(text);
  const data = JSON.parse(text);
  return {
    sums: {bytes: root._totalBytes, objects: root._totalBlocks, live: root._atTGmaxBytes},
    length: data.te, peak: data.tg, frames: data.ftbl,
  };
}

function collapsed() {
  const read = childProcess.execFileSync(
      "node", [path.join(modules, "stackvis/cmd/stackvis"), "collapsed", "collapsed"],
      {input: text, encoding: "utf8"});
  const lines = read.split("\n").filter((line) => line);
  return {
    sums: {sum: lines.reduce((sum, line) => sum + Number(line.split(" ").pop()), 0)},
    lines,
  };
}

console.log(JSON.stringify({speedscope, dhat, collapsed}[format]()));
