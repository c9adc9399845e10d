// Facts about `total` from `node --import firstbad/facts`, run with the variables that an oracle sets.
import { total } from "./traced.mjs";

total(7);
