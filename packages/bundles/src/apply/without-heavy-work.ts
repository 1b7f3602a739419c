import type { PlanParts } from '../plan/plan-bundle.ts'

/** The locked plan needs heavy work that the plan before it did not: what is stored has changed between the two. */
export class NotForeseenError extends Error {
  constructor() {
    super('What is stored has changed since the bundle was planned.')
  }
}

const refuse = async () => {
  throw new NotForeseenError()
}

const PASSWORDS = { hash: refuse, matches: refuse }

/**
 * The same parts without those that begin heavy work. It may wait for half a minute behind the tenant's own queue, and the
 * transaction would keep its locks, and in PGlite the only connection, for as long.
 */
export function withoutHeavyWork<P extends PlanParts>(parts: P): P {
  return {
    ...parts,
    passwords: { ...PASSWORDS, of: () => PASSWORDS },
    toolSources: { scriptProblem: refuse, documentFindings: refuse, addressFindings: refuse },
  }
}
