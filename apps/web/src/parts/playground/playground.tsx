import { useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import { AskedPanel } from '../../atoms/states/asked-panel.tsx'
import { Skeleton } from '../../atoms/states/panels.tsx'
import { playgroundWords as words } from '../../core/messages/en/parts/playground.ts'
import { columnsAfter, distinctPlaces, formerPlaces } from '../../core/playground/columns-after.ts'
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
import { useParamsLater, useSearchParams } from '../../infrastructure/routing/place.ts'
import { usePainted } from '../../infrastructure/streams/use-frame-state.ts'
import { ConversationView } from './conversation-view.tsx'
import type { KeptConversations } from './conversations/kept-conversations.ts'
import { useConversationDesk } from './conversations/use-conversation-desk.ts'
import { useCallerFields } from './use-caller-fields.ts'
import { isChanged, type PlayableContent, runnable, useSavedContent } from './use-played.ts'
import { useSubjects } from './use-subjects.ts'

/** The page's edit of the agent or the team. */
export interface PlayedEdit {
  draft: PlayedContent
  isDirty: boolean
  /** Whether the save bar is at the bottom of the page. */
  isUnsaved: boolean
  /** Until the storage was read, an edit may still be loaded. */
  isLoading: boolean
}

export interface PlaygroundProps {
  kind: 'agent' | 'team'
  id: string
  /** The edit: it is run if it differs from the saved state. */
  edit: PlayedEdit
  /** Owned by the page, so that its conversations continue while another tab is open. */
  conversations: KeptConversations
  /** Discards the draft, after a confirmation; absent: the playground does not offer it. */
  onDraftless?: () => void
  /** Is beside the settings, in a separate frame, instead of filling the page. */
  isBeside?: boolean
}

const PARAMS = {
  version: optionalParam,
  beside: besideParam,
  run: runsParam,
  answers: choiceParam(['plain', 'differences'], 'plain'),
}

/** A conversation with an agent or a team: the live version, another version, the unsaved draft, or up to four of them side by side. */
export function Playground(props: PlaygroundProps) {
  const saved = useSavedContent(props.kind, props.id)
  // The columns depend on it: without it, the conversation with the draft would be removed from the page.
  if (props.edit.isLoading) return <Skeleton lines={4} />
  return (
    <AskedPanel asked={saved} failed={words.failed}>
      {(data) => <PlaygroundParts key={`${props.kind}/${props.id}`} {...props} saved={data} />}
    </AskedPanel>
  )
}

function PlaygroundParts({
  kind,
  id,
  edit,
  conversations: kept,
  onDraftless,
  isBeside = false,
  saved,
}: PlaygroundProps & { saved: PlayableContent }) {
  const [{ version, beside, run, answers }, setParams] = useSearchParams(PARAMS)
  // While navigating away, the page is rendered with the address of the next one, which it must neither read nor change.
  const placeLater = useRef(useParamsLater(PARAMS))
  const isLeft = () => placeLater.current() === null
  const desk = useConversationDesk(kept, {
    kind,
    id,
    runs: run,
    onRuns: (runs) => {
      if (!isLeft()) setParams({ run: runs })
    },
  })
  const shown = usePainted(desk.shown)
  const edited = edit.isDirty && isChanged(edit.draft, saved) ? edit.draft : null
  const hasDraft = edited !== null
  const subjects = useSubjects({ kind, id, saved, hasDraft })
  const { layout } = desk
  const addressed = addressOf({ version, beside })
  const named = [version === null ? null : subjectOfKey(version), ...beside]
  const usual: Subject = { kind: hasDraft ? 'draft' : 'live' }
  const asked = named.map((subject) => runnable(subject ?? usual, saved, hasDraft))
  const places = distinctPlaces(named, asked)
  // An undone edit equals the live version until further input: its column is kept.
  const isKept = layout?.addressed === addressed && places.length < layout.columns.length
  const columns = isKept ? layout.columns : places.flatMap((place) => asked[place] ?? [])
  const content = useMemo(() => edited ?? savedContent(saved), [edited, saved])
  const caller = useCallerFields(desk, kind === 'agent' ? content.config : null)
  const showColumns = (next: readonly Subject[]) => {
    const [first, ...others] = next
    const place = {
      version: first === undefined || first.kind === usual.kind ? null : subjectKey(first),
      beside: others,
    }
    if (desk.layout) desk.layout = { ...desk.layout, addressed: addressOf(place), columns: next }
    setParams(place)
  }
  const lastEdited = useRef(edited)
  useLayoutEffect(() => {
    if (isLeft()) return
    const before = desk.layout
    const isElsewhere = before !== null && before.addressed !== addressed
    const now = { hasDraft, versionId: saved.versionId, saved: savedContent(saved) }
    const next = before === null || isElsewhere ? null : columnsAfter(before, now)
    const undone =
      isKept && !hasDraft && next === null ? (lastEdited.current ?? before?.undone ?? null) : null
    lastEdited.current = edited ?? lastEdited.current
    desk.layout = { addressed, columns, hasDraft, undone, versionId: saved.versionId }
    const hasFewer = !isKept && places.length < asked.length
    // A link or Back changes the columns: each conversation stays with its subject.
    if (isElsewhere) {
      const runs = places.map((place) => run[place] ?? '')
      desk.arrange(formerPlaces(before.columns, columns), runs)
    } else if (hasFewer && before === null) desk.arrange(places)
    if (next) showColumns(next)
    // The address refers to a draft that no longer exists: the next edit would restore its column, before the remaining one.
    else if (hasFewer && (isElsewhere || before === null)) showColumns(columns)
  })
  // Back in the history, the address has the runs of that time.
  const isBehind = run.join() !== desk.runs.join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per address
  useEffect(() => {
    if (isBehind && !isLeft()) setParams({ run: desk.runs })
  }, [addressed, isBehind])
  return (
    <ConversationView
      {...{ kind, id, saved, subjects, columns, desk, shown, content, caller, answers }}
      isLifted={edit.isUnsaved && !isBeside}
      isBeside={isBeside}
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

/** The columns in the format of the address. */
function addressOf({ version, beside }: { version: string | null; beside: readonly Subject[] }): string {
  return [version ?? '', ...beside.map(subjectKey)].join(',')
}

const savedContent = ({ name, description, config }: PlayableContent): PlayedContent => ({
  name,
  description,
  config,
})
