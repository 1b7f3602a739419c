import type { Tool } from '../ports/tool.ts'
import type { VoiceChannel } from './voice-channel.ts'

const TIMEOUT_MS = 1_000
const MAX_RESULT_BYTES = 1_024
/** The keys of a phone; `w` waits half a second. */
const DIGITS = /^[0-9*#A-Dw]{1,32}$/

/** Common to both tools: a call only announces an action, so repeating it changes nothing. */
const ANNOUNCES = {
  idempotent: true,
  rebuildsState: false,
  approval: null,
  timeoutMs: TIMEOUT_MS,
  maxResultBytes: MAX_RESULT_BYTES,
}

const END_CALL: Tool = {
  ...ANNOUNCES,
  name: 'end_call',
  description: 'Ends the conversation after your last words were spoken.',
  inputSchema: { type: 'object', properties: {}, additionalProperties: false },
  problemOf: () => null,
  execute: async () => ({ ok: true, text: 'The conversation ends after your next words.' }),
}

const SEND_DTMF: Tool = {
  ...ANNOUNCES,
  name: 'send_dtmf',
  description: 'Presses keys of the phone after your words were spoken, for example in a voice menu.',
  inputSchema: {
    type: 'object',
    properties: { digits: { type: 'string', description: 'Of 0-9, *, #, A-D; w waits half a second.' } },
    required: ['digits'],
    additionalProperties: false,
  },
  problemOf: ({ digits }) =>
    typeof digits === 'string' && DIGITS.test(digits) ? null : 'digits must be 1 to 32 keys of a phone.',
  execute: async () => ({ ok: true, text: 'The keys are pressed after your words.' }),
}

/**
 * The tools that act on a spoken conversation. They do nothing themselves: the worker reads their calls in the events
 * of the run, and acts after everything before them was spoken.
 */
export function voiceTools({ kind }: VoiceChannel): readonly Tool[] {
  return kind === 'outbound_call' ? [END_CALL, SEND_DTMF] : [END_CALL]
}
