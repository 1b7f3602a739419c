import type { TestCase } from '@troupe/contract/builder'
import type { DraftReader } from '@troupe/editor/document/draft-document'
import { removedTogether, tokenReaders } from '@troupe/editor/ids/token-readers'
import { NODE_TYPES } from '@troupe/nodes/definitions'
import { commandWords as words } from '../messages/en/workflows/canvas.ts'

/** References to the steps of a draft from outside it. */
interface Referrers {
  /** The ids of steps with a pinned output. */
  pinned: readonly string[]
  cases: readonly Pick<TestCase, 'name' | 'triggerNodeId' | 'mocks'>[]
}

/** The tokens, test cases and pins that would lose these steps by their removal, as sentences; null: none. */
export function lostByRemoval(
  reader: DraftReader,
  ids: readonly string[],
  { pinned, cases }: Referrers,
): string | null {
  const gone = removedTogether(reader, ids)
  const readers = tokenReaders(reader, ids).map(({ name }) => name)
  const users = cases.filter(
    ({ triggerNodeId, mocks }) =>
      (triggerNodeId !== null && gone.has(triggerNodeId)) || mocks.some(({ nodeId }) => gone.has(nodeId)),
  )
  const pins = pinned
    .filter((id) => gone.has(id) && !isTrigger(reader, id))
    .map((id) => reader.node(id)?.name ?? id)
  const isOne = gone.size === 1
  const sentences = [
    ...(readers.length > 0 ? [words.lostTokens(isOne, readers)] : []),
    ...(users.length > 0
      ? [
          words.lostCases(
            isOne,
            users.map(({ name }) => `“${name}”`),
          ),
        ]
      : []),
    ...(pins.length > 0 ? [words.lostPins(isOne, pins)] : []),
  ]
  return sentences.length === 0 ? null : [...sentences, words.lostUndo].join(' ')
}

/** The pins of triggers are sample values. */
function isTrigger(reader: DraftReader, id: string): boolean {
  return NODE_TYPES.get(reader.node(id)?.type ?? '')?.role === 'trigger'
}
