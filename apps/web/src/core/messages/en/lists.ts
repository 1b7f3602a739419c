import { counted, wholeNumber } from '../../format/numbers.ts'

/** Texts that the lists of agents, teams and workflows share. */
export const listWords = {
  name: 'Name',
  status: 'Status',
  week: 'Runs, 7 d',
  lastRun: 'Last run',
  /** For agents and teams, whose runs in the playground are not counted. */
  lastCall: 'Last call',
  never: 'Never',
  notCalled: 'Not called yet',
  cost: 'Cost, 7 d',
  usedBy: 'Used by',
  andMore: (count: number) => `and ${count} more`,
  changed: 'Changed',
  changedBy: (name: string) => `by ${name}`,
  quiet: 'No runs',
  noneEnded: 'None ended',
  /** `isCut`: more runs than are counted. */
  weekOfRuns: (runs: number, isCut: boolean, failed: number) =>
    `${isCut ? 'At least ' : ''}${counted(runs, 'run', 'runs')} in seven days, ${failed === 0 ? 'none' : wholeNumber(failed)} failed`,
  failedToday: (count: number) => `${wholeNumber(count)} failed`,
  previous: 'Previous page',
  next: 'Next page',
  pages: (page: number, pages: number) => `Page ${page} of ${pages}`,
  version: 'Version',
  startFromExample: 'Start from an example',
} as const
