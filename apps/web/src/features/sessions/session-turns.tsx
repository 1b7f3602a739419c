import type { SessionDetail } from '@troupe/contract/builder'
import { Fragment, useMemo, useRef, useState } from 'react'
import { Button } from '../../atoms/controls/button.tsx'
import { SideSheet } from '../../atoms/overlays/dialog.tsx'
import { FailurePanel } from '../../atoms/states/failure-panel.tsx'
import { sessionWords as words } from '../../core/messages/en/operate/sessions.ts'
import { memoriesByTurn } from '../../core/sessions/seen-parts.ts'
import { optionalParam, type Param } from '../../core/url/search-params.ts'
import { useChange } from '../../infrastructure/queries/use-operation.ts'
import { useSearchParams } from '../../infrastructure/routing/place.ts'
import styles from './sessions.module.css'
import { TurnSeen } from './turn-seen.tsx'
import { SummaryMark, TurnView } from './turn-view.tsx'
import { useUserMemories } from './user-memories.tsx'

type Turn = SessionDetail['turns'][number]

const turnParam: Param<number | null> = {
  read: (text) => {
    const value = Number(optionalParam.read(text) ?? '0')
    return Number.isSafeInteger(value) && value > 0 ? value : null
  },
  write: (value) => (value === null ? null : String(value)),
}
const PARAMS = { turn: turnParam }

/** The turns of a conversation, oldest first, with marks at the start of a summary and at new memories. */
export function SessionTurns({ session }: { session: SessionDetail }) {
  const [{ turn: opened }, setParams] = useSearchParams(PARAMS)
  const earlier = useEarlierTurns(session)
  const turns = useSeenTurns(session.turns, earlier.turns)
  const { own } = useUserMemories(session)
  const remembered = memoriesByTurn(turns, own)
  const { summary } = session
  return (
    <>
      {earlier.hasMore && (
        <div className={styles.earlier}>
          <Button isPending={earlier.isLoading} onPress={earlier.load}>
            {words.earlier}
          </Button>
        </div>
      )}
      <FailurePanel title={words.sessionFailed} failure={earlier.failure} />
      <ol className={styles.turns}>
        {turns.map((turn) => (
          <Fragment key={turn.seq}>
            <li>
              <TurnView
                turn={turn}
                memories={remembered.get(turn.seq) ?? []}
                onSeen={() => setParams({ turn: turn.seq }, { push: true })}
              />
            </li>
            {summary?.coversSeq === turn.seq && (
              <li>
                <SummaryMark summary={summary} />
              </li>
            )}
          </Fragment>
        ))}
      </ol>
      <SideSheet
        isOpen={opened !== null && turns.some(({ seq }) => seq === opened)}
        onClose={() => setParams({ turn: null })}
        title={words.sawTitle(opened ?? 0)}
      >
        {opened !== null && <TurnSeen seq={opened} turns={turns} session={session} />}
      </SideSheet>
    </>
  )
}

/** Every displayed turn, oldest first: with each new one, the newest page of a long conversation loses its oldest. */
function useSeenTurns(newest: readonly Turn[], earlier: readonly Turn[]): Turn[] {
  const seen = useRef(new Map<number, Turn>())
  return useMemo(() => {
    for (const turn of [...earlier, ...newest]) seen.current.set(turn.seq, turn)
    return [...seen.current.values()].toSorted((a, b) => a.seq - b.seq)
  }, [newest, earlier])
}

/** Turns before the loaded ones. */
function useEarlierTurns({ id, next }: SessionDetail) {
  // The first loaded page was complete: turns that have left the newest page since were already displayed.
  const [isWhole] = useState(next === null)
  const [turns, setTurns] = useState<readonly Turn[]>([])
  const [before, setBefore] = useState<number | null | undefined>(undefined)
  const page = useChange('getRunSession')
  const from = before === undefined ? next : before
  const load = async () => {
    if (from === null) return
    const done = await page.run({ params: { id }, query: { before: from } })
    if (!done) return
    setTurns((former) => [...former, ...done.answer.turns])
    setBefore(done.answer.next)
  }
  return {
    turns,
    hasMore: from !== null && !isWhole,
    isLoading: page.isPending,
    failure: page.failure,
    load: () => void load(),
  }
}
