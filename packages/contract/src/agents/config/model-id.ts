import { Type } from 'typebox'

// A segment of one or two dots would traverse the path of a provider's URL; other characters would end it.
const PATTERN = '^(?!(?:[^/]*/)*\\.{1,2}(?:/|$))[A-Za-z0-9._:@/+-]+$'
const whole = new RegExp(PATTERN)

/** 1 to 256 characters. The id of a model at its provider, which becomes part of URLs and request bodies. */
export const ModelId = Type.String({
  minLength: 1,
  maxLength: 256,
  pattern: PATTERN,
  patternMessage: 'must contain only letters, digits and . _ : @ / + -, and no segment that is . or ..',
})

/** Whether a text may be sent to a provider as a model id; for ids stored before this check existed. */
export function isModelId(text: string): boolean {
  return text.length <= 256 && whole.test(text)
}
