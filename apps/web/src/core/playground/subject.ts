import {
  type AnyVersionId,
  COORDINATION_MODES,
  type CoordinationMode,
  type IdText,
  type LlmConfigId,
} from '@troupe/contract'
import type { Param } from '../url/search-params.ts'

/** The subject of a playground conversation. */
export type Subject =
  | { kind: 'live' }
  | { kind: 'draft' }
  | { kind: 'version'; versionId: IdText<AnyVersionId> }
  /** As it is edited or saved, but with another model. */
  | { kind: 'model'; llmConfigId: IdText<LlmConfigId>; modelId: string }
  /** As it is edited or saved, but in another mode; of teams. */
  | { kind: 'mode'; mode: CoordinationMode }

/** The number of columns that are readable side by side. */
export const MOST_COLUMNS = 4

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** A subject as a word of an address. */
export function subjectKey(subject: Subject): string {
  switch (subject.kind) {
    case 'live':
    case 'draft':
      return subject.kind
    case 'version':
      return subject.versionId
    case 'model':
      return `model:${subject.llmConfigId}:${encodeURIComponent(subject.modelId)}`
    case 'mode':
      return `mode:${subject.mode}`
    default:
      return subject satisfies never
  }
}

/** The subject that a word of an address names; null: none. */
export function subjectOfKey(key: string): Subject | null {
  if (key === 'live' || key === 'draft') return { kind: key }
  if (UUID.test(key)) return { kind: 'version', versionId: key }
  const [kind, first = '', second = ''] = key.split(':')
  if (kind === 'mode') {
    const mode = COORDINATION_MODES.find((one) => one === first)
    return mode ? { kind: 'mode', mode } : null
  }
  const modelId = decoded(second)
  return kind === 'model' && UUID.test(first) && modelId
    ? { kind: 'model', llmConfigId: first, modelId }
    : null
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}

/** `?beside=`: the subjects besides the first column; at most three. */
export const besideParam: Param<readonly Subject[]> = {
  read: (text) =>
    (text ?? '')
      .split(',')
      .flatMap((key) => subjectOfKey(key) ?? [])
      .slice(0, MOST_COLUMNS - 1),
  write: (subjects) => (subjects.length === 0 ? null : subjects.map(subjectKey).join(',')),
}

/** `?run=`: the last run of each column, in their order; an empty place for a column without one. */
export const runsParam: Param<readonly string[]> = {
  read: (text) =>
    (text ?? '')
      .split(',')
      .map((id) => (UUID.test(id) ? id : ''))
      .slice(0, MOST_COLUMNS),
  write: (ids) => {
    const last = ids.findLastIndex((id) => id !== '')
    return last === -1 ? null : ids.slice(0, last + 1).join(',')
  },
}

/** An agent or a team as it would run: the content of a draft. */
export interface PlayedContent {
  name?: string | undefined
  description?: string | null | undefined
  config: object
}

/** The part of a run's body that selects the content. `content` is the edit, or else the saved state. */
export function subjectBody(subject: Subject, content: PlayedContent): object {
  switch (subject.kind) {
    case 'live':
      return {}
    case 'version':
      return { versionId: subject.versionId }
    case 'draft':
      return { draft: bodyOf(content) }
    case 'model':
      return { draft: bodyOf({ ...content, config: withModel(content.config, subject) }) }
    case 'mode':
      return { draft: bodyOf({ ...content, config: withMode(content.config, subject.mode) }) }
    default:
      return subject satisfies never
  }
}

function bodyOf({ name, description, config }: PlayedContent): object {
  return { ...(name ? { name } : {}), ...(description === undefined ? {} : { description }), config }
}

/** The configuration of a team in another mode; only `handoff` has a fallback member. */
export function withMode(config: object, mode: CoordinationMode): object {
  return { ...config, mode, ...(mode === 'handoff' ? {} : { fallback_member: null }) }
}

/** The configuration of an agent with another first model and no fallbacks, so that the named one answers. */
export function withModel(
  config: object,
  { llmConfigId, modelId }: { llmConfigId: IdText<LlmConfigId>; modelId: string },
): object {
  const model = below(config, 'model')
  const primary = { ...below(model, 'primary'), llm_config_id: llmConfigId, model_id: modelId }
  return { ...config, model: { ...model, primary, fallbacks: [] } }
}

function below(value: object, key: string): object {
  const found: unknown = Object.entries(value).find(([name]) => name === key)?.[1]
  return typeof found === 'object' && found !== null ? found : {}
}
