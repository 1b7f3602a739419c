import type { BuilderWorkflow } from '@troupe/builder-contract'
import { useEffect, useRef } from 'react'
import { showNotice } from '../../atoms/overlays/notice-store.ts'
import { authorFirst } from '../../core/labels/author-name.ts'
import { workflowPageWords as words } from '../../core/messages/en/workflows/page.ts'
import { useRefreshOn } from '../../infrastructure/events/use-changes.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'

/** Keeps the page of a workflow up to date, and says when somebody else has changed its draft. */
export function useWorkflowNews(workflowId: string, workflow: BuilderWorkflow | undefined): void {
  const me = usePlace().session.person.userId
  const seen = useRef<number | null>(null)
  useRefreshOn(
    [`workflow:${workflowId}`],
    ['getWorkflow', 'previewPublish', 'listWorkflowVersions', 'listSchedules', 'getHostedForm', 'getWebhook'],
  )
  const revision = workflow?.draftRevision
  useEffect(() => {
    if (!workflow || revision === undefined) return
    const former = seen.current
    seen.current = revision
    const isForeign = workflow.updatedBy !== null && workflow.updatedBy.id !== me
    if (former === null || revision <= former || !isForeign) return
    showNotice({ title: words.news(authorFirst(workflow.updatedBy, me)), detail: words.newsDetail })
  }, [workflow, revision, me])
}
