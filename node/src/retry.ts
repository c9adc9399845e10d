/** For oracles whose machine failed, and not the code under test. */

/**
 * Throw it from an oracle, or reject with it: the probe is abandoned and its revision asked again, at most `retries`
 * times in a row for each revision. After that the run rejects with it.
 */
export class Retry extends Error {
  override readonly name = "Retry";

  constructor(message = "the machine failed, not the code: ask again", options?: ErrorOptions) {
    super(message, options);
  }
}
