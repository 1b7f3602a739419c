import type { IdText, WorkflowId } from '@troupe/contract'
import { useEffect, useRef } from 'react'
import { showNotice } from '../../atoms/overlays/notice-store.ts'
import { authorFirst } from '../../core/labels/author-name.ts'
import { mergeWords } from '../../core/messages/en/workflows/outline.ts'
import { workflowPageWords as words } from '../../core/messages/en/workflows/page.ts'
import { useChanges, useRefreshOn } from '../../infrastructure/events/use-changes.ts'
import { useAskAgain } from '../../infrastructure/queries/use-ask-again.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import type { DraftSession } from './editing/draft-session.ts'

/** Operations to refetch after a change of more than a workflow's draft. */
const ANSWERS = [
  ...['getWorkflow', 'previewPublish', 'listWorkflowVersions', 'listWorkflowTimeline'],
  ...['listSchedules', 'getHostedForm', 'getWebhook', 'listPins'],
] as const
/** Checking a publish reads the whole draft, so it waits until nothing is saved for this long. */
const CHECK_AFTER_MS = 1500

/**
 * Keeps the page of a workflow up to date, and reports other users' changes of its draft. A change of the draft alone refetches
 * only the changes, and nothing if they are this tab's own.
 */
export function useWorkflowNews(workflowId: IdText<WorkflowId>, session: DraftSession | null): void {
  const me = usePlace().session.person.userId
  const askAgain = useRef(useAskAgain()).current
  useRefreshOn([`pins:${workflowId}`], ['listPins', 'listListeners', 'getWebhook'])
  useChanges([`workflow:${workflowId}`], (told) => {
    const draft = told.kind === 'changed' ? told.note.draft : null
    if (draft !== null && session !== null) session.heard(draft.revision)
    if (draft?.isAlone && session !== null) return
    askAgain(ANSWERS)
  })
  const revision = session?.revision ?? null
  const isSaved = session?.status === 'saved'
  const checked = useRef<number | null>(null)
  useEffect(() => {
    if (revision === null) return
    checked.current ??= revision
    if (!isSaved || checked.current === revision) return
    const check = () => {
      checked.current = revision
      // A save that removes a step, or changes its id, also changes its pin.
      askAgain(['previewPublish', 'listWorkflows', 'listWorkflowTimeline', 'listPins'])
    }
    const timer = setTimeout(check, CHECK_AFTER_MS)
    return () => clearTimeout(timer)
  }, [askAgain, revision, isSaved])
  useEffect(
    () =>
      session?.news.subscribe(() => {
        const { author, notes } = session.news.get() ?? { author: null, notes: [] }
        const said = notes.map(({ kind, name }) => mergeWords.notes[kind](name)).join(' ')
        const isForeign = author !== null && author.changedBy.id !== me
        if (!isForeign && said === '') return
        showNotice({
          title: words.news(authorFirst(isForeign ? author.changedBy : null, me)),
          detail: said === '' ? words.newsDetail : said,
        })
      }),
    [session, me],
  )
}
