/**
 * Total work that the patterns of one check may cost: a step is one state of the automaton, about 0.3 µs. The full
 * budget takes about 45 ms: it is spent on the event loop, and a health check behind it and the run's own copies of its
 * text must take less than 100 ms. `.{1,400}\.pdf$` needs 170,000 steps regardless of the text's length.
 */
const MAX_STEPS = 180_000

/** Matching a pattern exceeded the budget. */
export class PatternTooCostly extends Error {
  override readonly name = 'PatternTooCostly'

  constructor() {
    super('needs too many steps on this text; use fewer counted repetitions, or a shorter text')
  }
}

/** Counts steps instead of time, so that the same patterns and texts give the same result on every machine. */
export class MatchBudget {
  #left = MAX_STEPS

  /** @throws {@link PatternTooCostly} */
  spend(steps: number): void {
    this.#left -= steps
    if (this.#left < 0) throw new PatternTooCostly()
  }
}
