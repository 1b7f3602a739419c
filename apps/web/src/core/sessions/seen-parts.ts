import type { SessionDetail } from '@troupe/contract/builder'

type Turn = SessionDetail['turns'][number]
type Summary = NonNullable<SessionDetail['summary']>

/** A part of the prompt of an answer. */
export type SeenPart =
  | { kind: 'summary'; text: string; coversSeq: number }
  | { kind: 'turn'; turn: Turn }
  | { kind: 'message'; text: string | null }

/** The setting of the version that ran. */
export interface SeenHistory {
  enabled: boolean
  /** null: without a limit. */
  maxRuns: number | null
}

/**
 * A turn's view of the conversation, from the stored data: a summary that existed then, the turns after it, the message. `turns`
 * are the loaded ones, in any order; `isComplete` is false if the prompt also had older ones.
 */
export function seenParts(
  seq: number,
  turns: readonly Turn[],
  summary: Summary | null,
  { enabled, maxRuns }: SeenHistory,
): { parts: SeenPart[]; isComplete: boolean } {
  const own = turns.find((turn) => turn.seq === seq)
  const message: SeenPart = { kind: 'message', text: own?.input ?? null }
  if (!own || !enabled) return { parts: [message], isComplete: true }
  const used = summary && summary.coversSeq < seq && isBefore(summary.createdAt, own) ? summary : null
  const first = Math.max((used?.coversSeq ?? 0) + 1, maxRuns === null ? 1 : seq - maxRuns)
  const before = turns
    .filter((turn) => turn.seq >= first && turn.seq < seq && turn.run.status === 'completed')
    .toSorted((a, b) => a.seq - b.seq)
  const oldest = turns.reduce((least, turn) => Math.min(least, turn.seq), seq)
  return {
    parts: [
      ...(used ? [{ kind: 'summary', text: used.text, coversSeq: used.coversSeq } as const] : []),
      ...before.map((turn): SeenPart => ({ kind: 'turn', turn })),
      message,
    ],
    isComplete: oldest <= first,
  }
}

/** Whether an item existed when a turn began. */
const isBefore = (at: string, { run }: Turn) => Date.parse(at) <= run.createdAt * 1_000

/** The memories created during a turn, by the number of the turn. */
export function memoriesByTurn<Memory extends { createdAt: string }>(
  turns: readonly Turn[],
  memories: readonly Memory[],
): ReadonlyMap<number, Memory[]> {
  const inOrder = turns.toSorted((a, b) => a.seq - b.seq)
  const found = new Map<number, Memory[]>()
  for (const memory of memories) {
    const at = Date.parse(memory.createdAt) / 1_000
    const turn = inOrder.findLast(({ run }) => run.createdAt <= at)
    // Memories are written within a minute of the answer; later ones came from elsewhere.
    if (!turn || at > (turn.run.completedAt ?? at) + 60) continue
    found.set(turn.seq, [...(found.get(turn.seq) ?? []), memory])
  }
  return found
}
