import type { SessionDetail } from '@troupe/builder-contract'
import { Fragment, useMemo, useState } from 'react'
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

/** The turns of a conversation, oldest first, with marks where a summary begins and where something was remembered. */
export function SessionTurns({ session }: { session: SessionDetail }) {
  const [{ turn: opened }, setParams] = useSearchParams(PARAMS)
  const earlier = useEarlierTurns(session)
  const turns = useMemo(
    () => [...session.turns, ...earlier.turns].toSorted((a, b) => a.seq - b.seq),
    [session.turns, earlier.turns],
  )
  const memories = useUserMemories(session)
  const remembered = memoriesByTurn(turns, memories.data?.data ?? [])
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

/** Turns before those that the page has asked for. */
function useEarlierTurns({ id, next }: SessionDetail) {
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
    hasMore: from !== null,
    isLoading: page.isPending,
    failure: page.failure,
    load: () => void load(),
  }
}
