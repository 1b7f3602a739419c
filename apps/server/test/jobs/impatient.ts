import type { TurnPatience } from '@troupe/durable-work'
import type { Database } from '@troupe/storage'

/** A database with shorter time limits for jobs, so that tests are fast. */
export function impatient(database: Database, patience: Partial<TurnPatience>): Database {
  const { jobs } = database
  const hurried: Database['jobs'] = {
    ...jobs,
    sweep: (usual) => jobs.sweep({ ...usual, ...patience }),
    dispatched: (delivery, usual) => jobs.dispatched(delivery, patience.redeliverSeconds ?? usual),
  }
  return { ...database, jobs: hurried, duties: { ...database.duties, jobs: hurried } }
}

/** A database in which this process's claims of jobs expire immediately: to other processes it looks dead. */
export function forsaken(database: Database): Database {
  const { jobs } = database
  return {
    ...impatient(database, {}),
    jobs: {
      ...impatient(database, {}).jobs,
      claim: (delivery, workerId) => jobs.claim(delivery, workerId, -1),
    },
  }
}
