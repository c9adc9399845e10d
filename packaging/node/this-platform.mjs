// Selects the package platform of this machine.
import { manifest, platforms } from "../../node/scripts/platforms.mjs";

/** Throws if there is no package for this platform. */
export function thisPlatform() {
  const libc = process.report.getReport().header.glibcVersionRuntime ? "glibc" : "musl";
  const found = platforms(manifest).find(
    ({ os, cpu, libc: wanted }) => os === process.platform && cpu === process.arch && (wanted ?? libc) === libc,
  );
  if (found === undefined) throw new Error(`there is no package for ${process.platform} ${process.arch}`);
  return found;
}
