import { closest, type Graph, type TokenPath, tokenize } from '@troupe/graph'
import { NODE_TYPES } from '@troupe/nodes/definitions'
import type { KnownToken } from './known-tokens.ts'

/** A repair of a token that a check or a run complains about. */
export type TokenFix =
  /** Replaces the path by an existing one that was probably meant. */
  | { kind: 'replace'; token: string; path: string }
  /** Creates a Variable for a value that is missing when its step is skipped. */
  | { kind: 'bring-together'; token: string; nodeId: string }
  /** Runs the step only if the value exists. */
  | { kind: 'guard'; token: string; op: 'exists' | 'is_not_empty' }
  /** Makes a field of the trigger required. */
  | { kind: 'require'; token: string; triggerId: string; name: string }

/** A check's finding about a token of a step. */
interface TokenFinding {
  code: string
  /** Begins with the token: `{{ trigger.nam }}: …`. */
  message: string
}

/** The codes of findings about tokens that have a value in no run. */
const NEVER_RESOLVED: ReadonlySet<string> = new Set([
  'malformed_token',
  'unknown_token_node',
  'token_not_before',
  'loop_outside_body',
  'not_in_trigger',
])

/** The tokens, as `{{ path }}`, that findings report to have a value in no run. */
export function reportedTokens(findings: readonly TokenFinding[]): ReadonlySet<string> {
  return new Set(
    findings.flatMap(({ code, message }) => (NEVER_RESOLVED.has(code) ? (writtenToken(message) ?? []) : [])),
  )
}

/** The repairs of one finding, the most likely first; empty for a finding about no token. */
export function fixesOf(finding: TokenFinding, graph: Graph, tokens: readonly KnownToken[]): TokenFix[] {
  const part = tokenOf(finding.message)
  if (part === null) return []
  const { token, path } = part
  if (NEVER_RESOLVED.has(finding.code)) return replacements(token, tokens)
  switch (finding.code) {
    case 'may_be_skipped':
      return path.namespace === 'upstream'
        ? [
            { kind: 'bring-together', token, nodeId: path.nodeId },
            { kind: 'guard', token, op: 'exists' },
          ]
        : []
    case 'may_be_left_out':
      return leftOutFixes(token, path, graph)
    default:
      return []
  }
}

/** The repairs of a token, written as `{{ path }}`, that has no value in a run. */
export function replacements(token: string, tokens: readonly KnownToken[]): TokenFix[] {
  const meant = meantPath(token.slice(3, -3), tokens)
  return meant === null ? [] : [{ kind: 'replace', token, path: meant }]
}

/** The token that a message begins with or reports as unresolved; null if none. */
export function tokenOf(message: string): { token: string; path: TokenPath } | null {
  const written = writtenToken(message)
  const [part] = written === null ? [] : tokenize(written)
  return part?.kind === 'token' ? { token: part.token, path: part.path } : null
}

/** The same as it is written in the message, including for a malformed one. */
export function writtenToken(message: string): string | null {
  const said = 'could not resolve '
  const from = message.indexOf(said)
  return /^\{\{[^{}]*\}\}(?=: )/.exec(from < 0 ? message : message.slice(from + said.length))?.[0] ?? null
}

/** The known path with almost the same spelling, or else the only one that ends in the same key. */
function meantPath(written: string, tokens: readonly KnownToken[]): string | null {
  const paths = tokens.map(({ path }) => path).filter((path) => path !== written)
  const key = lastKey(written)
  const beside = written.slice(0, written.length - key.length)
  // Siblings first: in a long path, a difference in the last key would be negligible.
  const keys = paths.flatMap((path) => (path === beside + lastKey(path) ? [lastKey(path)] : []))
  const near = closest(key, keys)
  if (near !== null) return beside + near
  const whole = closest(written, paths)
  if (whole !== null) return whole
  const same = paths.filter((path) => lastKey(path) === key)
  return same.length === 1 ? (same[0] ?? null) : null
}

const lastKey = (path: string) => path.slice(path.lastIndexOf('.') + 1)

function leftOutFixes(token: string, path: TokenPath, { nodes }: Graph): TokenFix[] {
  if (path.namespace !== 'trigger' && path.namespace !== 'upstream') return []
  const [top, second] = path.keys
  const fixes: TokenFix[] = []
  let isForm = false
  for (const { id, type, config } of nodes) {
    const definition = NODE_TYPES.get(type)
    if (definition?.role !== 'trigger' || (path.namespace === 'upstream' && path.nodeId !== id)) continue
    const answers = definition.answers?.(config) ?? []
    const optional = [...answers, ...(definition.fields?.(config) ?? [])].filter(({ required }) => !required)
    const name = optional.find((field) => field.name === (top === 'body' ? second : top))?.name
    if (name === undefined) continue
    isForm ||= answers.length > 0
    fixes.push({ kind: 'require', token, triggerId: id, name })
  }
  if (fixes.length === 0) return []
  return [...fixes, { kind: 'guard', token, op: isForm ? 'is_not_empty' : 'exists' }]
}
