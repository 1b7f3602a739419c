/**
 * Types an untyped function, which reads its arguments by an operation's data, as that operation. The
 * contract's types derive from the same data, so both always agree.
 */
export function typedCall<F>(run: (...args: unknown[]) => Promise<unknown>): F {
  const untyped: unknown = run
  return untyped as F
}

/** The options of a call, its last argument; none when omitted. */
export function optionsAt<T extends object>(args: readonly unknown[], index: number): Partial<T> {
  return (args[index] ?? {}) as Partial<T>
}
