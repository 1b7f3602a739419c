/** The operator's ceilings for limits of organizations, for every author; null: any. */
export interface LimitCeilings {
  /** Requests per minute of an organization. */
  rpm: number | null
  /** Concurrent runs of an organization. */
  concurrentRuns: number | null
}

const NAMES = ['rpm', 'concurrentRuns'] as const

/** The limits above the operator's ceilings, each with an error message; empty if none is. */
export function limitsAboveCeilings(
  ceilings: LimitCeilings,
  limits: Readonly<Partial<Record<(typeof NAMES)[number], number>>>,
): { name: (typeof NAMES)[number]; message: string }[] {
  return NAMES.flatMap((name) => {
    const [ceiling, limit] = [ceilings[name], limits[name]]
    if (ceiling === null || limit === undefined || limit <= ceiling) return []
    return [
      { name, message: `must be at most ${ceiling}, the highest that the operator of this server allows` },
    ]
  })
}

/** The limits, capped at the ceilings. */
export function withinCeilings<T extends Record<(typeof NAMES)[number], number>>(
  { rpm, concurrentRuns }: LimitCeilings,
  limits: T,
): T {
  return {
    ...limits,
    rpm: rpmInForce(limits.rpm, rpm),
    concurrentRuns: Math.min(limits.concurrentRuns, concurrentRuns ?? limits.concurrentRuns),
  }
}

/** The effective requests per minute: the stored limit, or the ceiling if that is lower. */
export function rpmInForce(stored: number, ceiling: number | null): number {
  return ceiling === null ? stored : Math.min(stored, ceiling)
}
