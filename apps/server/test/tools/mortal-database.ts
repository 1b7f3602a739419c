import type { Database } from '@troupe/storage'

/** The stores whose rows a run of a workflow, of its agents and their approvals consists of. */
const STORES = ['workflowRuns', 'jobs', 'runs', 'approvals'] as const
/** Their writes that move a run; what is periodic or only reads is none. */
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

/** A moment to die: with the n-th write (from 1 on), before it or after it was committed. */
export interface DeathAt {
  write: number
  when: 'before' | 'after'
}

/** A database as a process sees it that dies at a write: from then on it reaches nothing any more. */
export interface MortalDatabase {
  database: Database
  /** The names of the writes so far. */
  writes: string[]
  readonly isDead: boolean
  /** Counts writes from now on. @param death null: it lives on */
  arm(death: DeathAt | null): void
}

/** A database that lives until it is armed. */
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
      // Also a write that was under way beside the last one: nobody is there to hear of it.
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
