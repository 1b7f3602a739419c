import { counted } from '../../format/numbers.ts'
import type { SettingWords } from '../../forms/setting-words.ts'

const FAILURES = {
  error: { label: 'Error', detail: 'The provider returns 5xx, or the connection breaks.' },
  rate_limit: { label: 'Rate limit', detail: 'The provider returns 429: too many requests.' },
  timeout: { label: 'Timeout', detail: 'One of the time limits below has passed.' },
  context_overflow: { label: 'Input too long', detail: 'The input does not fit into the model.' },
} as const

/** The words of the settings that a whole chain has, by their paths below `model`. */
export const MODEL_CHAIN_WORDS = {
  fallbacks: { label: 'Fallback models' },
  'fallbacks.*.on': {
    label: 'Takes over on',
    choices: FAILURES,
  },
  'retry.attempts_per_model': {
    label: 'Attempts per model',
    help: 'Number of calls to a model before the next one takes over. A rate limit (429) that lasts longer than two seconds moves on immediately.',
  },
  'retry.first_token_timeout_ms': {
    label: 'Wait for the first token',
    help: 'The call times out if the model sends nothing for this long.',
    unit: 'ms',
  },
  'retry.idle_timeout_ms': {
    label: 'Stream timeout',
    help: 'The call times out if the stream pauses this long.',
    unit: 'ms',
  },
  'retry.call_timeout_ms': {
    label: 'Call timeout',
    help: 'One call of a model, from the request to its last token.',
    unit: 'ms',
  },
  mid_stream: {
    label: 'When a stream breaks',
    choices: {
      fail: { label: 'Fail', detail: 'The run ends with an error. Callers keep the partial text.' },
      restart: {
        label: 'Restart',
        detail: 'The next model restarts the answer; callers get a reset event and drop the partial text.',
      },
    },
  },
} as const satisfies Record<string, SettingWords>

/** Texts of the editor of a chain of models. */
export const modelChainWords = {
  primary: 'Primary',
  fallback: (place: number) => `Fallback ${place}`,
  parameters: 'Parameters',
  standardParameters: 'Provider’s defaults',
  notTaken: (parameters: readonly string[]) => `This provider does not support: ${parameters.join(', ')}.`,
  notSent: 'Values set here are not sent.',
  timing: 'Attempts and time limits',
  timingSummary: (attempts: number, seconds: string) =>
    `${counted(attempts, 'attempt', 'attempts')} per model, first token within ${seconds}`,
  rehearsal: 'What happens when a model fails',
  rehearsed: {
    error: 'Provider error (5xx), lost connection',
    rate_limit: 'Too many requests (429)',
    timeout: 'No first token in time',
    stopped: 'The stream stops after it has begun',
    context_overflow: 'Input too long',
    refused: 'Request or key refused (400, 401, 403)',
  },
  axis: 'One call of a model',
  stretches: {
    first: (length: string) => `First token within ${length}`,
    idle: (length: string) => `Then no pause above ${length}`,
    rest: (length: string) => `Times out after ${length} in total`,
  },
  silence: (length: string) =>
    `If every model stays silent, the run fails after ${length}, plus short pauses between attempts.`,
  neverMasked: 'The run fails with this error. Fallbacks are not tried.',
  path: (models: readonly string[], times: number) => {
    const asked = times === 1 ? '' : ` (up to ${counted(times, 'time', 'times')})`
    return `${models.map((name) => `${name}${asked}`).join(', then ')}, then the run fails.`
  },
  add: 'Add fallback',
  addHint: 'Another model answers when the previous ones cannot.',
  repeated: 'This model is already in the list. Choose another one: this one would fail for the same reason.',
  most: (count: number) => `At most ${count} fallbacks.`,
  remove: 'Remove',
  up: 'Move up',
  down: 'Move down',
  actions: (name: string) => `Actions for ${name}`,
  on: (failures: readonly string[]) =>
    failures.length === 0 ? 'Never takes over' : `On ${failures.join(', ').toLowerCase()}`,
  onAny: 'On any failure',
  defaultOf: (name: string) => `Default: ${name}`,
  noDefault: 'Default: none is set up yet',
  firstModel: (name: string) => `First model: ${name}`,
  gone: 'A deleted LLM configuration',
  off: 'disconnected',
  unlisted: (id: string) => `Use “${id}”`,
  unlistedDetail: 'Not listed in the LLM configuration',
  context: (tokens: string) => `${tokens} tokens of context`,
  price: (input: string, output: string) => `${input} in, ${output} out per million tokens`,
  findModel: 'Find a model',
  configurationsFailed: 'The LLM configurations could not be loaded',
  none: 'No model is set up yet',
  noneText: 'Add an LLM configuration in Settings → Models, then choose it here.',
  openModels: 'Open models',
  rehearse: 'If every model fails with',
  rehearseNone: 'Nothing',
  rehearseHint: 'Choose a failure to see which models it reaches.',
  streamFails: 'The run fails, and callers keep the partial text. No other model is tried.',
  asked: 'Tried',
  notAsked: 'Not tried',
} as const
