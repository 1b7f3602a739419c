import { isJsonObject } from '@troupe/contract'
import { readGraph } from '@troupe/editor/document/read-graph'
import { isSameJson } from '@troupe/editor/values/json-path'
import { readTypedJson } from '../forms/typed-json.ts'

/** An edit of a draft as JSON. */
export interface TypedDraft {
  text: string
  /** The text of the draft that the edit began with. */
  from: string
}

export function isTypedDraft(value: unknown): value is TypedDraft {
  return isJsonObject(value) && typeof value.text === 'string' && typeof value.from === 'string'
}

/** null: the text is not a JSON object. The server reports faults inside it. */
export function readDraft(text: string): Record<string, unknown> | null {
  const read = readTypedJson(text)
  return read.ok && isJsonObject(read.value) ? read.value : null
}

/** Whether the draft has changed since an edit began with the text `from`. Neither the layout of the text nor omitted defaults are a change. */
export function isStaleDraft(from: string, draft: unknown): boolean {
  return !isSameJson(readGraph(readDraft(from)), readGraph(draft))
}

/** Text typed during the save of `sent` is an edit of `sent`, at the revision of that save. */
export function onTopOf(sent: TypedDraft, revision: number) {
  return ({ text }: TypedDraft) => ({ value: { text, from: sent.text }, base: String(revision) })
}
