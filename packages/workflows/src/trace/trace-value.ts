import { isSecretName, REDACTED, redactText } from '@troupe/contract'
import { NO_SECRETS, type TraceSecrets } from './trace-secrets.ts'

/** Maximum characters of one value that a trace stores of an input, and shows of an output. */
export const TRACE_CHARACTERS = 65_536
/** Characters scanned beyond the cut, so that a secret that straddles it is found. */
const LOOKAHEAD = 4_096
const MAX_DEPTH = 64

interface Walk {
  secrets: TraceSecrets
  /** Characters left in the budget. */
  left: number
}

/**
 * A value for the trace: secrets are replaced (values under secret or password-field names, and texts that look like
 * keys or credentials), and text beyond 64 K characters is cut, with a note of the omitted length. Nodes always compute
 * with the original.
 */
export function traceValue(value: unknown, secrets: TraceSecrets = NO_SECRETS): unknown {
  return told(value, { secrets, left: TRACE_CHARACTERS }, 0)
}

function told(value: unknown, walk: Walk, depth: number): unknown {
  if (typeof value === 'string') return toldText(value, walk)
  if (typeof value !== 'object' || value === null) {
    walk.left -= 8
    return value
  }
  if (depth >= MAX_DEPTH) return '[more levels cut]'
  return Array.isArray(value) ? toldList(value, walk, depth) : toldObject(value, walk, depth)
}

function toldText(text: string, walk: Walk): string {
  const room = Math.max(walk.left, 0)
  const redacted = redactText(text.slice(0, room + LOOKAHEAD), walk.secrets.values)
  const isWhole = text.length <= room
  const shown = (isWhole ? redacted : redacted.slice(0, room)).toWellFormed()
  walk.left -= shown.length + 2
  return isWhole ? shown : `${shown}… [${text.length - room} more characters cut]`
}

function toldList(list: readonly unknown[], walk: Walk, depth: number): unknown[] {
  const shown: unknown[] = []
  for (const element of list) {
    if (walk.left <= 0) {
      shown.push(`[${list.length - shown.length} more elements cut]`)
      break
    }
    shown.push(told(element, walk, depth + 1))
  }
  return shown
}

function toldObject(object: object, walk: Walk, depth: number): Record<string, unknown> {
  const entries = Object.entries(object)
  const shown: [string, unknown][] = []
  for (const [name, value] of entries) {
    if (walk.left <= 0) {
      shown.push(['[cut]', `${entries.length - shown.length} more keys`])
      break
    }
    walk.left -= name.length + 4
    shown.push([name, toldField(name, value, walk, depth)])
  }
  return Object.fromEntries(shown)
}

function toldField(name: string, value: unknown, walk: Walk, depth: number): unknown {
  const isSecret = walk.secrets.names.has(name) || isSecretName(name)
  if (!isSecret || value === null || typeof value === 'boolean') return told(value, walk, depth + 1)
  walk.left -= REDACTED.length
  return REDACTED
}
