// Removes what an earlier build left, so that the package never holds a file whose source is gone.
import { rmSync } from "node:fs";

rmSync(new URL("../dist", import.meta.url), { recursive: true, force: true });
