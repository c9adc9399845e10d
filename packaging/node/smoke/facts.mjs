// Facts about `total`, which `node --import firstbad/facts` collects; run with the variables that an oracle sets.
import { total } from "./traced.mjs";

total(7);
