const MICROS = 1_000_000

/** A limit in millionths of its unit, as it is stored. */
export function limitMicros(limit: number): number {
  return Math.round(limit * MICROS)
}

/** Millionths as a number in their unit. */
export function fromMicros(micros: number): number {
  return micros / MICROS
}
