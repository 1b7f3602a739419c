/** The platform's classes of model failures. A refused request never reaches a fallback. */
export const REHEARSED_FAILURES = [
  'rate_limit',
  'error',
  'timeout',
  'stopped',
  'context_overflow',
  'refused',
] as const
export type RehearsedFailure = (typeof REHEARSED_FAILURES)[number]

/** One model of a chain. */
export interface ChainStop {
  name: string
  /** The failures on which it takes over; the primary model has none. */
  on: readonly string[]
  /** Tokens; null: unknown, and then it never takes over an input that is too long. */
  contextLength: number | null
}

/**
 * The called models, in order, if each of them fails in the same way. The first is the primary one.
 *
 * @param midStream whether the next model starts over when a stream stops after its first token
 */
export function failoverPath(
  chain: readonly ChainStop[],
  failure: RehearsedFailure,
  midStream: 'fail' | 'restart' = 'fail',
): ChainStop[] {
  const [primary, ...fallbacks] = chain
  if (!primary) return []
  if (failure === 'refused' || (failure === 'stopped' && midStream === 'fail')) return [primary]
  const path = [primary]
  for (const stop of fallbacks) {
    if (takesOver(stop, failure, path.at(-1) ?? primary)) path.push(stop)
  }
  return path
}

function takesOver(stop: ChainStop, failure: RehearsedFailure, failed: ChainStop): boolean {
  // A stalled stream counts as timed out.
  if (!stop.on.includes(failure === 'stopped' ? 'timeout' : failure)) return false
  if (failure !== 'context_overflow') return true
  const { contextLength: taken } = stop
  return taken !== null && failed.contextLength !== null && taken > failed.contextLength
}

const ASKED_ONCE: ReadonlySet<RehearsedFailure> = new Set(['context_overflow', 'refused', 'stopped'])

/** The number of calls of a model before the next one: permanent failures are not retried, and neither is a started stream. */
export function timesAsked(failure: RehearsedFailure, attempts: number): number {
  return ASKED_ONCE.has(failure) ? 1 : attempts
}
