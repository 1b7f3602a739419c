/**
 * Results of heavy work on parts of a bundle, cached with the parsed text: a bundle is planned twice, the second time
 * under locks, where no heavy work may start. Failures are not cached.
 */
export class KeptResults<T> {
  readonly #kept = new WeakMap<object, Map<string, Promise<T>>>()

  /** @param part as parsed @param input further inputs of the result */
  of(part: object, input: string, make: () => Promise<T>): Promise<T> {
    const ofPart = this.#kept.get(part) ?? new Map<string, Promise<T>>()
    this.#kept.set(part, ofPart)
    const known = ofPart.get(input)
    if (known) return known
    const made = make()
    ofPart.set(input, made)
    made.catch(() => ofPart.delete(input))
    return made
  }
}
