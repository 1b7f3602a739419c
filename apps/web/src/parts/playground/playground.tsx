import { useLayoutEffect, useMemo, useRef } from 'react'
import { AskedPanel } from '../../atoms/states/asked-panel.tsx'
import { playgroundWords as words } from '../../core/messages/en/parts/playground.ts'
import { columnsAfter } from '../../core/playground/columns-after.ts'
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
  const runs = useRef([...run])
  const desk = useConversationDesk(kept, {
    kind,
    id,
    runs: run,
    onRun: (column, runId) => {
      const next = Array.from({ length: Math.max(runs.current.length, column + 1) }, (_, index) =>
        index === column ? (runId ?? '') : (runs.current[index] ?? ''),
      )
      runs.current = next
      setParams({ run: next })
    },
    onColumnGone: (column) => {
      runs.current = runs.current.toSpliced(column, 1)
      setParams({ run: runs.current })
    },
  })
  const shown = usePainted(desk.shown)
  const edited = isChanged(draft, saved) ? draft : null
  const hasDraft = edited !== null
  const subjects = useSubjects({ kind, id, saved, hasDraft })
  const chosen = (version === null ? null : subjectOfKey(version)) ?? { kind: hasDraft ? 'draft' : 'live' }
  const columns = distinct([chosen, ...beside].map((subject) => runnable(subject, saved, hasDraft)))
  const content = useMemo(
    () => edited ?? { name: saved.name, description: saved.description, config: saved.config },
    [edited, saved],
  )
  const caller = useCallerFields(desk, kind === 'agent' ? content.config : null)
  const showColumns = ([first, ...others]: readonly Subject[]) => {
    const isUsual = first === undefined || first.kind === (hasDraft ? 'draft' : 'live')
    setParams({ version: isUsual ? null : subjectKey(first), beside: others })
  }
  useLayoutEffect(() => {
    const next = desk.layout && columnsAfter(desk.layout, { hasDraft, versionId: saved.versionId })
    desk.layout = { columns, hasDraft, versionId: saved.versionId }
    if (!next) return
    next.forEach((subject, column) => {
      if (subject === null) desk.removeColumn(column)
    })
    showColumns(next.filter((subject) => subject !== null))
  })
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
