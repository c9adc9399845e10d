/** Conversion between texts and bytes that preserves lone surrogates: UTF-8, with three bytes for each. */

const HALF = /\p{Surrogate}/u;
const HALVES = /\xed[\xa0-\xbf][\x80-\xbf]/g;

/** @internal Returns the bytes of a text. */
export function bytesOf(text: string): Uint8Array {
  if (!HALF.test(text)) return Buffer.from(text, "utf8");
  const parts = [...text].map((character) => {
    if (!HALF.test(character)) return Buffer.from(character, "utf8");
    const code = character.charCodeAt(0);
    return Buffer.from([0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)]);
  });
  return Buffer.concat(parts);
}

/** @internal Returns the text of such bytes. */
export function textOf(bytes: Uint8Array): string {
  const raw = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const binary = raw.includes(0xed) ? raw.toString("latin1") : "";
  if (binary.search(HALVES) < 0) return raw.toString("utf8");
  let text = "";
  let next = 0;
  for (const { index } of binary.matchAll(HALVES)) {
    text += raw.toString("utf8", next, index);
    const [first, second, third] = raw.subarray(index, index + 3) as unknown as [number, number, number];
    text += String.fromCharCode(((first & 0xf) << 12) | ((second & 0x3f) << 6) | (third & 0x3f));
    next = index + 3;
  }
  return text + raw.toString("utf8", next);
}
