// Where the package of this platform is not installed, the error names it. The first argument is its name.
const assert = require("node:assert/strict");

assert.throws(
  () => require("firstbad"),
  (error) => error.code === "missing_binary" && error.message.includes(process.argv[2]),
);
