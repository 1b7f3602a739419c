import type { DraftReader } from '@troupe/editor/document/draft-document'
import { tokenReaders } from '@troupe/editor/ids/token-readers'
import { commandWords as words } from '../messages/en/workflows/canvas.ts'

/** The other steps with tokens of these steps, as a sentence for their removal; null: none. */
export function lostTokens(reader: DraftReader, ids: readonly string[]): string | null {
  const names = tokenReaders(reader, ids).map(({ name }) => name)
  return names.length === 0 ? null : words.lostDetail(names)
}
