import { isJsonObject, isKeptByDouble, type Operator, UNARY_OPERATORS } from '@troupe/contract'
import { agentToolWords } from '../../../core/messages/en/agents/agent-tools.ts'

const words = agentToolWords.approval

/** When a tool call requires approval. */
export type ApprovalRule =
  | { kind: 'never' }
  | { kind: 'always' }
  | { kind: 'condition'; field: string; op: Operator; value: string }

/** The rule in its stored form; absent means no approval. */
export function readApproval(stored: unknown): ApprovalRule {
  if (stored === 'always') return { kind: 'always' }
  if (!isJsonObject(stored)) return { kind: 'never' }
  const { field, op, value } = stored
  return {
    kind: 'condition',
    field: typeof field === 'string' ? field : '',
    op: isOperator(op) ? op : 'gt',
    value: value === undefined ? '' : typedScalar(value),
  }
}

/** The stored form of a rule; undefined removes the key. */
export function storedApproval(rule: ApprovalRule): unknown {
  if (rule.kind === 'never') return undefined
  if (rule.kind === 'always') return 'always'
  const { field, op, value } = rule
  return UNARY_OPERATORS.has(op) ? { field, op } : { field, op, value: scalarOf(value) }
}

/** Numbers, true, false and null are compared as such, anything else as text; quotes make such a value text. */
export function scalarOf(text: string): unknown {
  const trimmed = text.trim()
  if (/^(true|false|null)$/.test(trimmed)) return JSON.parse(trimmed)
  if (/^-?(0|[1-9]\d*)(\.\d+)?$/.test(trimmed) && isKeptByDouble(trimmed)) return Number(trimmed)
  return quotedText(trimmed) ?? text
}

/** A scalar in its typed form. */
function typedScalar(value: unknown): string {
  return typeof value === 'string' && scalarOf(value) === value ? value : JSON.stringify(value)
}

/** The text between the quotes of a JSON string; null for anything else. */
function quotedText(text: string): string | null {
  if (!/^"(?:[^"\\]|\\.)*"$/.test(text)) return null
  try {
    return String(JSON.parse(text))
  } catch {
    return null
  }
}

function isOperator(op: unknown): op is Operator {
  return typeof op === 'string' && Object.hasOwn(agentToolWords.operators, op)
}

/** The rule as a sentence: "Asks when amount is more than 100". */
export function approvalSentence(rule: ApprovalRule): string {
  if (rule.kind === 'never') return words.never
  if (rule.kind === 'always') return words.always
  // Without an argument, the rule is incomplete.
  if (rule.field === '') return words.condition
  const value = UNARY_OPERATORS.has(rule.op) ? null : rule.value
  return words.sentence(rule.field, agentToolWords.operators[rule.op], value)
}
