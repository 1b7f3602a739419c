import { counted, money, wholeNumber } from '../../../format/numbers.ts'
import { duration } from '../../../format/times.ts'

const ITERATIONS = {
  every: '',
  before: ', in the iterations before',
  chosen: ', in the chosen iteration',
  after: ', in the iterations after it',
} as const

export const testWords = {
  test: 'Test',
  title: 'Test the draft',
  titleOf: (name: string) => `Test “${name}”`,
  detail:
    'The draft runs in the real engine, with its models. The test is shown in the builder only, and kept for seven days.',
  action: 'Start the test',
  failed: 'The test was not started',
  planFailed: 'The plan could not be made',
  scope: 'What runs',
  scopes: {
    all: 'Everything',
    only: 'Only one step',
    until: 'Until a step',
    from: 'From a step on',
  },
  scopeDetails: {
    all: 'As a run in production.',
    only: 'Its inputs are taken from a past run, or typed.',
    until: 'Everything before it, and the step itself.',
    from: 'The step and all that follows; what it needs is taken from a past run.',
  },
  step: 'Step',
  iteration: (loop: string) => `Iteration of ${loop}`,
  iterationDetail: 'From 1.',
  source: 'Results from',
  noSource: 'No past run',
  aSource: (when: string, status: string) => `The run of ${when}, ${status.toLowerCase()}`,
  otherSource: 'The chosen run',
  trigger: 'Trigger',
  payload: 'Payload',
  payloadDetail: 'What the steps read as {{ trigger }}.',
  notJson: 'This is not valid JSON.',
  effects: 'Allow tools with effects in this test',
  effectsDetail: 'Otherwise they answer “denied: this is a test”. Models are called in any case.',
  plan: 'What this test does',
  planning: 'The plan is being made.',
  nothing: 'Nothing runs.',
  lists: {
    runs: 'Runs',
    recomputed: 'Is computed again',
    seeded: 'Takes a stored result',
    missing: 'Has no result',
    unreached: 'Is not reached',
    forced: 'Takes the way that you chose',
    effects: 'Has effects',
  },
  named: (name: string, iterations: keyof typeof ITERATIONS, isCertain: boolean) =>
    `${name}${ITERATIONS[iterations]}${isCertain ? '' : ' (if it is reached)'}`,
  origins: { pin: 'pinned', run: 'of the past run', mock: 'of the test case', typed: 'typed' },
  answered: 'answered there, not asked again',
  again: 'happens a second time',
  denied: (tools: readonly string[]) => `denied: ${tools.join(', ')}`,
  allowed: (tools: readonly string[]) => `allowed: ${tools.join(', ')}`,
  takeWay: (step: string, way: string) => `Take “${way}” at ${step}`,
  undoWay: (step: string, way: string) => `${step} takes “${way}”. Take it back`,
  values: 'Values for this test',
  valuesDetail: 'What these steps would have returned: a text, or JSON.',
  way: (name: string) => `Way of ${name}`,
  untyped: (labels: readonly string[]) =>
    `Still missing: ${labels.slice(0, 3).join(', ')}${labels.length > 3 ? ` and ${wholeNumber(labels.length - 3)} more` : ''}.`,
  cost: (usd: number | null, tokens: number, seconds: number) =>
    `By past runs: ${usd === null ? 'no price known' : `about ${money(usd)}`}, ${counted(tokens, 'token', 'tokens')}, ${duration(seconds * 1000)}.`,
  unknownCost: (count: number) =>
    `${counted(count, 'step has', 'steps have')} never run, so their cost is not known.`,
  findings: 'Problems that stop this test',
  cancelOldest: 'Cancel the oldest test and start',
  seeded: 'took a stored result',
  seededDetail: 'This step was not executed in this test. It took a result that was stored or typed.',
  seededFrom: 'Its result is of another run.',
  openSource: 'Open that run',
  isTest: 'Test',
  rerunFailed: 'Rerun from the failed step',
} as const
