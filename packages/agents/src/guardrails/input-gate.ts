/** A rule beside the first model call has blocked the user message: the work is over, and nothing of it is shown. */
export class InputBlocked extends Error {
  override readonly name = 'InputBlocked'
  /** The message that takes the answer's place. */
  readonly answer: string

  constructor(answer: string) {
    super('a guardrail blocked the input')
    this.answer = answer
  }
}

/** Awaited before the result of a model call is used. @throws InputBlocked, or the reason why the run stops */
export type InputGate = () => Promise<void>

/** Both gates in turn. */
export function bothGates(outer: InputGate | null, inner: InputGate | null): InputGate | null {
  if (!outer || !inner) return outer ?? inner
  return async () => {
    await outer()
    await inner()
  }
}
