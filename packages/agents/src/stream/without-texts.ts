import { isJsonObject } from '@troupe/contract'
import type { StoredEvent } from '../ports/run-store.ts'

/**
 * The end of a log that must keep no text (`privacy.store_messages`): only the terminal event, with its
 * content empty. The statement that ends the run deletes the earlier rows.
 */
export function withoutTexts(rows: readonly StoredEvent[]): StoredEvent[] {
  const last = rows.at(-1)
  if (!last) return []
  const data = { ...last.data }
  if ('content' in data) data.content = ''
  if ('result' in data)
    data.result = { ...(isJsonObject(data.result) && data.result), content: '', messages: null }
  return [{ ...last, data }]
}
