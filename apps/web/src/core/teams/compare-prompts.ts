import type { TeamCallPreview } from '@troupe/contract/builder'
import { teamPageWords } from '../messages/en/teams/page.ts'

const words = teamPageWords.prompts

/** One call of a model under both positions of a toggle. */
export interface ComparedCall {
  key: string
  who: TeamCallPreview['who']
  when: string
  kind: 'changed' | 'added' | 'removed' | 'same'
  /** The whole call as text; '' on the side where it is not made. */
  before: string
  after: string
  /** Additional estimated input tokens of the second side. */
  tokens: number
}

/** The calls of both sides by their step, in the order of the run. */
export function comparePrompts(
  before: readonly TeamCallPreview[],
  after: readonly TeamCallPreview[],
): ComparedCall[] {
  const earlier = new Map(before.map((call) => [call.key, call]))
  const later = new Map(after.map((call) => [call.key, call]))
  // A call on the first side only keeps its position: before the first common call after it.
  const keys = [...later.keys()]
  for (const [index, { key }] of before.entries()) {
    if (later.has(key)) continue
    const next = before.slice(index + 1).find((call) => keys.includes(call.key))
    keys.splice(next ? keys.indexOf(next.key) : keys.length, 0, key)
  }
  return keys.flatMap((key) => {
    const call = later.get(key) ?? earlier.get(key)
    return call ? [compared(call, earlier.get(key), later.get(key))] : []
  })
}

function compared(
  { key, who, when }: TeamCallPreview,
  before: TeamCallPreview | undefined,
  after: TeamCallPreview | undefined,
): ComparedCall {
  const [old, fresh] = [before ? promptText(before) : '', after ? promptText(after) : '']
  const kind = !before ? 'added' : !after ? 'removed' : old === fresh ? 'same' : 'changed'
  const tokens = (after?.estimatedTokens ?? 0) - (before?.estimatedTokens ?? 0)
  return { key, who, when, kind, before: old, after: fresh, tokens }
}

/** A call as a text: everything that the model gets, one part after the other. */
export function promptText({ system, messages, tools, toolChoice, responseSchema }: TeamCallPreview): string {
  const said = messages.map(({ role, content, toolCalls = [] }) => {
    const called = toolCalls.map((one) => words.calls(one.name, JSON.stringify(one.arguments)))
    return part(words.parts[role], [content, ...called].filter((text) => text !== '').join('\n'))
  })
  const choice = tools.some(({ name }) => name === toolChoice) ? words.mustCall(toolChoice ?? '') : ''
  const offered = tools.map(
    ({ name, description, inputSchema }) =>
      `${words.toolLine(name, description)}\n${JSON.stringify(inputSchema, null, 2)}`,
  )
  return [
    ...(system === null ? [] : [part(words.parts.system, system)]),
    ...said,
    ...(offered.length === 0 ? [] : [part(`${words.parts.tools} ${choice}`.trim(), offered.join('\n\n'))]),
    ...(responseSchema === null ? [] : [part(words.parts.schema, JSON.stringify(responseSchema, null, 2))]),
  ].join('\n\n')
}

function part(title: string, text: string): string {
  return `── ${title} ──\n${text}`
}
