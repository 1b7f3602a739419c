import { counted } from '../../../format/numbers.ts'

/** The words of the data that a step reads and outputs. */
export const stepDataWords = {
  parts: { settings: 'Settings', input: 'Input', page: 'Page', output: 'Output' },
  calls: 'Sample and calls',
  part: 'Part of this step',
  wide: 'Full width',
  narrow: 'Beside the steps',
  source: 'Values from',
  noSource: 'No run',
  ofDraft: 'Sample values and pins',
  aRun: (when: string, status: string, isTest: boolean) => `${isTest ? 'Test' : 'Run'}, ${when}, ${status}`,
  noRuns: 'Test the draft once, and its values are shown here.',
  loading: 'Loading the values…',
  failed: 'The values could not be loaded',
  erased: 'The values of this run were erased when their retention period ended.',
  input: 'Values for this step',
  filter: 'Find a value',
  nothing: 'No trigger or earlier step provides a value here.',
  noMatch: 'No value has this name.',
  more: (count: number) => `${counted(count, 'more value', 'more values')}: type in “Find a value”.`,
  insert: 'Click a value to insert its token at the cursor, or drag it into a field.',
  noField: 'Choose a field that takes tokens first.',
  inserted: (path: string) => `${path} is inserted`,
  output: 'Output of this step',
  noOutput: 'This run has no result for this step.',
  useAsSample: 'Use as sample',
  sampled: 'This is the sample of the trigger now',
  preview: 'Preview',
  unknown: (tokens: string) => `The chosen run has no value for ${tokens}.`,
  cut: 'The rest is not shown.',
  empty: 'an empty text',
  absent: 'no value',
  absentIn: (tokens: string) => `A run writes “null” for ${tokens}, which has no value here.`,
  fixes: 'Ways to repair this',
  fix: {
    replace: (path: string) => `Use ${path}`,
    'bring-together': 'Merge branches in a Variable',
    guard: 'Continue only if it exists',
    require: (name: string) => `Require “${name}”`,
  },
  repaired: 'Repaired. Undo reverts it.',
  names: {
    start: 'Start value',
    take: (step: string) => `Keep result of ${step}`.slice(0, 120),
    guard: 'Does the value exist?',
  },
} as const

/** The words of a step that failed in a run. */
export const failureWords = {
  fix: 'Fix in the draft',
  test: 'Test from here with this data',
  keys: (at: string) => `Keys of ${at}`,
  noKeys: (at: string, value: string) => `${at} has no keys: it is ${value === '' ? 'empty' : value}.`,
} as const
