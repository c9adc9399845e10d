#!/usr/bin/env node
// The command line. It runs in the binding; nothing here is called before it is over.
const { cli } = require("../dist/binding.js");

// Node's own handlers would end the process while a test is running. With these, signals reach the command line.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => {});

process.exit(cli(process.argv.slice(2)));
