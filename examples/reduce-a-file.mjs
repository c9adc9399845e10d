// Reduces a JSON text that crashes a program: docs/reduce-a-file.md.

import { minimizeText } from "firstbad";

const text = JSON.stringify({ shop: { name: "Tea & Co", open: [8, 18] }, tax: { eu: 19, ch: null } }, null, 2);
const crashes = (kept) => {
  try {
    return JSON.parse(kept).tax?.ch === null;
  } catch {
    return null; // not valid JSON
  }
};

console.log((await minimizeText(text, crashes)).items);

// Prints:
// {
//   "tax": {
//     "ch": null
//   }
// }
