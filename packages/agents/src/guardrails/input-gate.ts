/** A rule beside the first model call has blocked the user message: the work ends, and none of it is shown. */
export class InputBlocked extends Error {
  override readonly name = 'InputBlocked'
  /** The message that replaces the answer. */
  readonly answer: string

  constructor(answer: string) {
    super('a guardrail blocked the input')
    this.answer = answer
  }
}

/** Awaited before the result of a model call is used. @throws InputBlocked, or the reason for which the run stops */
export type InputGate = () => Promise<void>

/** Both gates in sequence. */
export function bothGates(outer: InputGate | null, inner: InputGate | null): InputGate | null {
  if (!outer || !inner) return outer ?? inner
  return async () => {
    await outer()
    await inner()
  }
}
