import { propertyOf } from '@troupe/contract'

const DEEPEST_CAUSE = 5
/** Only identifiers, because a message may contain a recipient, a host or a secret of a URL. */
const CODE = /^[A-Z][A-Z0-9_]{1,60}$/
const NAME = /^[A-Za-z]{1,60}$/

/**
 * The names and codes of an error and its causes, outermost first, such as `TypeError, ECONNREFUSED` or `EAUTH 535`. Of
 * an SMTP server's response only the number, and no messages.
 */
export function failureReason(error: unknown): string {
  const words: string[] = []
  let at = error
  for (let depth = 0; at instanceof Error && depth < DEEPEST_CAUSE; depth++) {
    words.push(wordOf(at))
    at = at instanceof AggregateError ? at.errors[0] : at.cause
  }
  return [...new Set(words)].join(', ') || 'unknown'
}

function wordOf(error: Error): string {
  const [code, answer] = [propertyOf(error, 'code'), propertyOf(error, 'responseCode')]
  if (typeof code !== 'string' || !CODE.test(code)) return NAME.test(error.name) ? error.name : 'Error'
  return typeof answer === 'number' ? `${code} ${answer}` : code
}
