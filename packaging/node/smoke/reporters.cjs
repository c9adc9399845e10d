// The reporters load without the runners that they are for.
const assert = require("node:assert/strict");

for (const runner of ["vitest", "jest"]) {
  const Reporter = require(`firstbad/${runner}`);
  assert.equal(typeof Reporter, "function");
  new Reporter({ rootDir: "." });
}
