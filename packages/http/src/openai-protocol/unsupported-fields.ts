import { type FieldError, isJsonObject } from '@troupe/contract'

/** Whether a value has no effect. */
function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0)
}

/** A field that would change the answer: ignoring it would mislead the caller. */
interface Refused {
  message: string
  /** Values that match the default behaviour. */
  accepts?: (value: unknown) => boolean
}

const TOOLS = 'is not supported: the tools of an agent belong to its configuration'

const REFUSED: Readonly<Record<string, Refused>> = {
  tools: { message: TOOLS },
  functions: { message: TOOLS },
  tool_choice: { message: TOOLS, accepts: (value) => value === 'none' || value === 'auto' },
  function_call: { message: TOOLS, accepts: (value) => value === 'none' || value === 'auto' },
  response_format: {
    message: 'must be of the type text: the format of the answer belongs to the configuration of the agent',
    accepts: (value) => isJsonObject(value) && value.type === 'text',
  },
  n: { message: 'must be 1', accepts: (value) => value === 1 },
  stop: { message: 'is not supported: stop sequences belong to the configuration of the agent' },
  logprobs: { message: 'is not supported', accepts: (value) => value === false },
  top_logprobs: { message: 'is not supported', accepts: (value) => value === 0 },
  modalities: {
    message: 'must be ["text"]',
    accepts: (value) => Array.isArray(value) && value.every((kind) => kind === 'text'),
  },
  audio: { message: 'is not supported' },
  web_search_options: {
    message: 'is not supported: searching belongs to the tools of the agent',
  },
}

/** One failure for each field that requests an unsupported feature. Sampling fields are ignored, like unknown ones. */
export function unsupportedFields(body: Record<string, unknown>): FieldError[] {
  return Object.entries(REFUSED).flatMap(([path, { message, accepts }]) => {
    const value = body[path]
    return isEmpty(value) || accepts?.(value) ? [] : [{ path, message }]
  })
}
