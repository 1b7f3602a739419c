import { useEffect, useLayoutEffect, useMemo } from 'react'
import { AskedPanel } from '../../atoms/states/asked-panel.tsx'
import { playgroundWords as words } from '../../core/messages/en/parts/playground.ts'
import { columnsAfter, formerPlaces } from '../../core/playground/columns-after.ts'
import {
  besideParam,
  type PlayedContent,
  runsParam,
  type Subject,
  subjectBody,
  subjectKey,
  subjectOfKey,
} from '../../core/playground/subject.ts'
import { choiceParam, optionalParam } from '../../core/url/search-params.ts'
import { useSearchParams } from '../../infrastructure/routing/place.ts'
import { usePainted } from '../../infrastructure/streams/use-frame-state.ts'
import { ConversationView } from './conversation-view.tsx'
import type { KeptConversations } from './conversations/kept-conversations.ts'
import { useConversationDesk } from './conversations/use-conversation-desk.ts'
import { useCallerFields } from './use-caller-fields.ts'
import { isChanged, type PlayableContent, runnable, useSavedContent } from './use-played.ts'
import { useSubjects } from './use-subjects.ts'

export interface PlaygroundProps {
  kind: 'agent' | 'team'
  id: string
  /** What is edited and not saved: it runs as it is, when it differs from what is saved. */
  draft: PlayedContent | null
  /** The page's, so that its conversations go on while another tab is looked at. */
  conversations: KeptConversations
  /** Gives the draft up, after the person was asked; absent: the playground does not offer it. */
  onDraftless?: () => void
  /** Stands beside the settings, in a frame of its own, instead of filling the page. */
  isBeside?: boolean
}

const PARAMS = {
  version: optionalParam,
  beside: besideParam,
  run: runsParam,
  answers: choiceParam(['plain', 'differences'], 'plain'),
}

/** A conversation with an agent or a team: what is live, a version, the unsaved draft, or up to four of them side by side. */
export function Playground(props: PlaygroundProps) {
  const saved = useSavedContent(props.kind, props.id)
  return (
    <AskedPanel asked={saved} failed={words.failed}>
      {(data) => <PlaygroundParts key={`${props.kind}/${props.id}`} {...props} saved={data} />}
    </AskedPanel>
  )
}

function PlaygroundParts({
  kind,
  id,
  draft,
  conversations: kept,
  onDraftless,
  isBeside = false,
  saved,
}: PlaygroundProps & { saved: PlayableContent }) {
  const [{ version, beside, run, answers }, setParams] = useSearchParams(PARAMS)
  const desk = useConversationDesk(kept, {
    kind,
    id,
    runs: run,
    onRuns: (runs) => setParams({ run: runs }),
  })
  const shown = usePainted(desk.shown)
  const edited = isChanged(draft, saved) ? draft : null
  const hasDraft = edited !== null
  const subjects = useSubjects({ kind, id, saved, hasDraft })
  const { layout } = desk
  const addressed = addressOf({ version, beside })
  const chosen = (version === null ? null : subjectOfKey(version)) ?? { kind: hasDraft ? 'draft' : 'live' }
  const named = distinct([chosen, ...beside].map((subject) => runnable(subject, saved, hasDraft)))
  // An edit that was undone is the same as what is live for as long as nothing more is typed: its column stays.
  const columns =
    layout?.addressed === addressed && named.length < layout.columns.length ? layout.columns : named
  const content = useMemo(
    () => edited ?? { name: saved.name, description: saved.description, config: saved.config },
    [edited, saved],
  )
  const caller = useCallerFields(desk, kind === 'agent' ? content.config : null)
  const showColumns = (next: readonly Subject[]) => {
    const [first, ...others] = next
    const isUsual = first === undefined || first.kind === (hasDraft ? 'draft' : 'live')
    const place = { version: isUsual ? null : subjectKey(first), beside: others }
    if (desk.layout) desk.layout = { ...desk.layout, addressed: addressOf(place), columns: next }
    setParams(place)
  }
  useLayoutEffect(() => {
    const before = desk.layout
    const isElsewhere = before !== null && before.addressed !== addressed
    const next =
      before === null || isElsewhere ? null : columnsAfter(before, { hasDraft, versionId: saved.versionId })
    const isUndone = before?.hasDraft === true && !hasDraft && columns === before.columns && next === null
    desk.layout = { addressed, columns, hasDraft: hasDraft || isUndone, versionId: saved.versionId }
    // A link or a step back names other columns: each conversation stays with what it is with.
    if (isElsewhere) desk.arrange(formerPlaces(before.columns, columns))
    if (next) showColumns(next)
  })
  // A step back in the history names the runs of then.
  const isBehind = run.join() !== desk.runs.join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each place
  useEffect(() => {
    if (isBehind) setParams({ run: desk.runs })
  }, [addressed, isBehind])
  return (
    <ConversationView
      {...{ kind, id, saved, subjects, columns, desk, shown, content, caller, answers }}
      isLifted={hasDraft && !isBeside}
      onDraftless={hasDraft ? onDraftless : undefined}
      onColumns={showColumns}
      onAnswers={(next) => setParams({ answers: next })}
      onSend={(message, isNew, only) =>
        desk.send(
          message,
          columns
            .map((subject, column) => ({
              column,
              played: { subject, versionNumber: subjects.versionNumberOf(subject) },
              body: { ...caller.body, ...subjectBody(subject, content) },
            }))
            .filter(({ column }) => only === undefined || column === only),
          isNew,
        )
      }
    />
  )
}

/** The same subject twice would be asked twice for one answer. */
function distinct(subjects: readonly Subject[]): readonly Subject[] {
  return subjects.filter(
    (subject, index) => subjects.findIndex((one) => subjectKey(one) === subjectKey(subject)) === index,
  )
}

/** The columns as the address writes them. */
function addressOf({ version, beside }: { version: string | null; beside: readonly Subject[] }): string {
  return [version ?? '', ...beside.map(subjectKey)].join(',')
}
