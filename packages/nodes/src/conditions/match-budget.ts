/**
 * Work that the patterns of one check may cost together: a step is one state of the automaton, about 0.3 µs. All of it
 * takes about 100 ms; `.{1,500}\.pdf$` needs 270,000 steps, however long the text is.
 */
const MAX_STEPS = 400_000

/** A pattern needs more steps on a text than it may have. */
export class PatternTooCostly extends Error {
  override readonly name = 'PatternTooCostly'

  constructor() {
    super('takes too many steps on this text; use fewer counted repetitions, or a shorter text')
  }
}

/** Counts the work of patterns, so that the same patterns on the same texts end the same way on every machine. */
export class MatchBudget {
  #left = MAX_STEPS

  /** @throws {@link PatternTooCostly} */
  spend(steps: number): void {
    this.#left -= steps
    if (this.#left < 0) throw new PatternTooCostly()
  }
}
