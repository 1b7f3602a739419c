import { isJsonObject, propertyOf, type WorkflowId } from '@troupe/contract'
import type { PublishPreview } from '@troupe/contract/builder'

type Caller = PublishPreview['callers'][number]
type Break = Caller['breaks'][number]
type Difference = NonNullable<PublishPreview['difference']>

/** A field that callers may reference and that the publish would remove or change. */
export interface LostField {
  part: Break['part']
  /** A field of the payload, or a path in the output of the run. */
  field: string
  change: Break['change']
}

/** Minimum length of field names to search for in texts: shorter names occur in every text. */
const SHORTEST = 3
/** Maximum fields to search for, so that a draft with thousands of changes is not compared with every text. */
const MOST_FIELDS = 200

/** The fields of the payload and the output that the draft no longer has, or has with another type. */
export function lostFields(
  contract: readonly Pick<PublishPreview['contract'][number], 'field' | 'change'>[],
  output: Difference['output'],
): LostField[] {
  const ofPayload = contract.flatMap(({ field, change }): LostField[] =>
    change === 'removed' || change === 'type' ? [{ part: 'payload', field, change }] : [],
  )
  return [...ofPayload, ...(output === null ? [] : lostOutputs(output))].slice(0, MOST_FIELDS)
}

/** Nothing is lost if any end may return arbitrary fields. */
function lostOutputs({ before, after }: NonNullable<Difference['output']>): LostField[] {
  if (after.some(({ fields }) => fields.length === 0)) return []
  const later = fieldsOf(after)
  return [...fieldsOf(before)].flatMap(([field, type]): LostField[] => {
    const now = later.get(field)
    if (now === undefined) return [{ part: 'output', field, change: 'removed' }]
    return type === null || now === null || now === type ? [] : [{ part: 'output', field, change: 'type' }]
  })
}

/** The type of each field in the output of a run; null: any type. */
function fieldsOf(ends: NonNullable<Difference['output']>['before']): Map<string, string | null> {
  const isAlone = ends.length === 1
  return new Map(
    ends.flatMap(({ nodeId, fields }) =>
      fields.map(({ path, type }) => [isAlone ? path : `${nodeId}.${path}`, type] as const),
    ),
  )
}

/**
 * Where an agent's configuration references lost fields of a workflow that it calls: in the tool's approval conditions,
 * bound parameters and description, and in the instructions.
 */
export function breaksIn(
  config: Readonly<Record<string, unknown>>,
  workflowId: WorkflowId,
  lost: readonly LostField[],
): Break[] {
  const all: unknown[] = Array.isArray(config.tools) ? config.tools : []
  const tools = all.filter(isJsonObject).filter((tool) => tool.workflow_id === workflowId)
  const inTools = tools.flatMap((tool) => breaksInTool(tool, lost))
  const instructions = wordsOf(config.instructions)
  const named = lost.filter(({ field }) => names(instructions, field))
  return [...inTools, ...named.map((one): Break => ({ ...one, where: 'instructions', tool: null }))]
}

function breaksInTool(tool: Readonly<Record<string, unknown>>, lost: readonly LostField[]): Break[] {
  const toolName = typeof tool.name === 'string' ? tool.name : null
  const bound = (Array.isArray(tool.context_keys) ? tool.context_keys : []).map((key: unknown) =>
    propertyOf(key, 'bind'),
  )
  const condition = propertyOf(tool.approval, 'field')
  const description = wordsOf(tool.description)
  return lost.flatMap((one) => {
    const isArgument = one.part === 'payload'
    const places: Break['where'][] = [
      ...(isArgument && firstKey(condition) === one.field ? (['approval'] as const) : []),
      ...(isArgument && bound.includes(one.field) ? (['binding'] as const) : []),
      ...(names(description, one.field) ? (['description'] as const) : []),
    ]
    return places.map((where): Break => ({ ...one, where, tool: toolName }))
  })
}

/** The first key of a path: "order" for "order.items.0". */
function firstKey(path: unknown): string | null {
  return typeof path === 'string' ? (path.split('.')[0] ?? null) : null
}

const WORD = /[\p{L}\p{N}_]+/gu

/** The set of words in a text, built once because many fields are looked up in it. */
function wordsOf(text: unknown): ReadonlySet<string> {
  return new Set(typeof text === 'string' ? text.match(WORD) : [])
}

/** Whether a text contains a field as a whole word, or all keys of a path. */
function names(words: ReadonlySet<string>, field: string): boolean {
  const keys = field.match(WORD) ?? []
  return field.length >= SHORTEST && keys.length > 0 && keys.every((key) => words.has(key))
}
