/** Time limits of a model call, in milliseconds. */
export interface ModelTimeLimits {
  firstTokenMs: number
  idleMs: number
  callMs: number
}

/** A stretch of the time axis of one call, in shares of its width from 0 to 1. */
export interface AxisStretch {
  kind: 'first' | 'idle' | 'rest'
  from: number
  to: number
}

/**
 * One call on a time axis: the wait for the first token, the longest pause after it, the rest until the total limit. The axis is
 * logarithmic, because pauses are seconds and calls minutes.
 */
export function callStretches({ firstTokenMs, idleMs, callMs }: ModelTimeLimits): AxisStretch[] {
  const place = (ms: number) => Math.min(1, Math.log1p(ms / 1_000) / Math.log1p(callMs / 1_000))
  const first = place(firstTokenMs)
  const idle = place(firstTokenMs + idleMs)
  const all: AxisStretch[] = [
    { kind: 'first', from: 0, to: first },
    { kind: 'idle', from: first, to: idle },
    { kind: 'rest', from: idle, to: 1 },
  ]
  return all.filter(({ from, to }) => to > from)
}

/** Milliseconds until a chain of unresponsive models has failed, without the pauses between attempts. */
export function longestSilence(limits: ModelTimeLimits, attempts: number, models: number): number {
  return Math.min(limits.firstTokenMs, limits.callMs) * attempts * models
}
