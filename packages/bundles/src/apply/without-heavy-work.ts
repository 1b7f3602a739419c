import type { PlanParts } from '../plan/plan-bundle.ts'

/** The locked plan needs heavy work that the earlier plan did not: stored rows have changed between the two. */
export class NotForeseenError extends Error {
  constructor() {
    super('Stored data has changed since the bundle was planned.')
  }
}

const refuse = async () => {
  throw new NotForeseenError()
}

const PASSWORDS = { hash: refuse, matches: refuse }

/**
 * The same parts without those that start heavy work. It may wait for half a minute behind the tenant's own queue, and
 * the transaction would keep its locks, and in PGlite the only connection, for that time.
 */
export function withoutHeavyWork<P extends PlanParts>(parts: P): P {
  return {
    ...parts,
    passwords: { ...PASSWORDS, of: () => PASSWORDS },
    toolSources: { scriptProblem: refuse, documentFindings: refuse, addressFindings: refuse },
  }
}
