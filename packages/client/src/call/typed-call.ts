/**
 * Gives a function that reads its arguments by the data of an operation the type of that operation. The contract's types
 * and its data are the same objects, so both always agree.
 */
export function typedCall<F>(run: (...args: unknown[]) => Promise<unknown>): F {
  const untyped: unknown = run
  return untyped as F
}

/** The options of a call, its last argument; none when the caller left them out. */
export function optionsAt<T extends object>(args: readonly unknown[], index: number): Partial<T> {
  return (args[index] ?? {}) as Partial<T>
}
