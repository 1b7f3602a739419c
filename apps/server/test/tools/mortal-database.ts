import type { Database } from '@troupe/storage'

/** The stores with the rows of a workflow's run, its agents and their approvals. */
const STORES = ['workflowRuns', 'jobs', 'runs', 'approvals'] as const
/** The writes of these stores that advance a run, without periodic ones and reads. */
const WRITES = new Set([
  ...[
    'accept',
    'claim',
    'claimChild',
    'commit',
    'commitStep',
    'park',
    'yield',
    'dispatched',
    'start',
    'finish',
  ],
  ...['open', 'transaction', 'failDispatch', 'settleCancelled', 'appendEvents'],
])

/** The moment of a crash: at the n-th write (from 1 on), before it or after its commit. */
export interface DeathAt {
  write: number
  when: 'before' | 'after'
}

/** A process’s view of a database, which crashes at a write: from then on it reaches nothing. */
export interface MortalDatabase {
  database: Database
  /** The names of the writes so far. */
  writes: string[]
  readonly isDead: boolean
  /** Counts writes from now on. @param death null: no crash */
  arm(death: DeathAt | null): void
}

/** A database that works until it is armed. */
export function mortalDatabase(real: Database): MortalDatabase {
  const writes: string[] = []
  let death: DeathAt | null = null
  let isDead = false
  const gone = () => new Error('the process of this test is dead')
  const mortal =
    (name: string, call: (...args: unknown[]) => unknown) =>
    async (...args: unknown[]): Promise<unknown> => {
      if (isDead) throw gone()
      if (!WRITES.has(name)) return call(...args)
      writes.push(name)
      const isLast = writes.length === death?.write
      if (isLast && death?.when === 'before') {
        isDead = true
        throw gone()
      }
      const answer = await call(...args)
      if (isLast) isDead = true
      // Includes a write that was in progress beside the last one: nobody is there to receive its result.
      if (isDead) throw gone()
      return answer
    }
  const storeOf = (store: Record<string, unknown>) =>
    Object.fromEntries(
      Object.entries(store).map(([name, value]) => [
        name,
        typeof value === 'function' ? mortal(name, value.bind(store)) : value,
      ]),
    )
  const stores = STORES.map((name) => [name, storeOf(real[name] as unknown as Record<string, unknown>)])
  const transaction = mortal('transaction', (work) => real.transaction(work as never))
  return {
    database: { ...real, ...Object.fromEntries(stores), transaction } as Database,
    writes,
    arm(next) {
      writes.length = 0
      death = next
    },
    get isDead() {
      return isDead
    },
  }
}
