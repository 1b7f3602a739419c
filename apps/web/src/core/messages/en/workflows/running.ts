import { wholeNumber } from '../../../format/numbers.ts'

export const runByHandWords = {
  title: 'Run the published version',
  detail: (version: number) => `This runs version ${version}, not the draft.`,
  trigger: 'Trigger',
  startsOne: (count: number) =>
    `Such a call starts all ${wholeNumber(count)} triggers at once. A run by hand starts the one that you choose.`,
  action: 'Run',
  failed: 'The run was not started',
  needsPublish: 'Publish the workflow first',
} as const

export const workflowRunWords = {
  failed: 'The runs could not be loaded',
  label: 'Last runs',
  all: 'All runs in the explorer',
  emptyTitle: 'No runs yet',
  empty: 'Run it by hand, or call one of its triggers.',
} as const
