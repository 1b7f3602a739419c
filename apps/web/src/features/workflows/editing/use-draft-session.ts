import type { IdText, WorkflowId } from '@troupe/contract'
import type { BuilderWorkflow } from '@troupe/contract/builder'
import type { Graph } from '@troupe/graph'
import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { draftOf } from '../../../core/workflows/graph-of-draft.ts'
import { createValueStore } from '../../../infrastructure/client/value-store.ts'
import { usePlace } from '../../../infrastructure/sign-in/session.ts'
import type { DraftSession, ShownDraft } from './draft-session.ts'
import { type DraftPlace, draftSession, openKept } from './open-session.ts'

/** The session of this tab on the draft of a workflow, for components that change the draft without displaying it. */
export function useOwnSession(workflow: BuilderWorkflow): DraftSession {
  return draftSession(useDraftPlace(workflow.workflowId), workflow)
}

/** The session of this tab on the draft of a workflow; the component rerenders after each change, even after each typed key. */
export function useDraftSession(workflow: BuilderWorkflow): DraftSession {
  const session = useOwnSession(workflow)
  useSyncExternalStore(session.changes.subscribe, session.changes.get)
  return session
}

/** The draft with the changes of this tab, for views of all its steps: typing is included after a pause. null: unchanged. */
export function useShownGraph(workflow: BuilderWorkflow): Graph | null {
  const { shown } = useOwnSession(workflow)
  return useSyncExternalStore(shown.subscribe, shown.get).graph
}

/** No session: the workflow is not loaded yet. */
const UNCHANGED = createValueStore<ShownDraft | null>(null)

/**
 * A workflow with its draft in this tab: including unsaved changes, and other users' saves since the workflow was read.
 *
 * @param workflow undefined while it is loading
 * @param isKnown whether it is a cached one of an earlier visit
 */
export function useEditedWorkflow(
  workflow: BuilderWorkflow | undefined,
  isKnown: boolean,
): { workflow: BuilderWorkflow | undefined; session: DraftSession | null } {
  const { session: signIn, may } = usePlace()
  const place = useDraftPlace(workflow?.workflowId ?? '')
  const session = workflow ? draftSession(place, workflow) : null
  const store = session?.shown ?? UNCHANGED
  const shown = useSyncExternalStore<ShownDraft | null>(store.subscribe, store.get)
  const mayBuild = may('build')
  // biome-ignore lint/correctness/useExhaustiveDependencies: receives each response of the server; opens once
  useEffect(() => {
    if (isKnown || !workflow || !session) return
    session.hear(workflow)
    if (mayBuild) void openKept(place, workflow)
  }, [session, workflow, isKnown, mayBuild])
  const { person } = signIn
  const { graph, revision, saved, savedAt, status } = shown ?? {
    ...{ graph: null, revision: 0, saved: null, savedAt: null, status: undefined },
  }
  const draft = useMemo(() => graph && draftOf(graph), [graph])
  const isPublished = saved?.isDraftPublished ?? workflow?.isDraftPublished
  const isDraftPublished = status === 'saved' && isPublished === true
  const edited = useMemo(() => {
    if (!workflow || draft === null) return workflow
    const own = { changedBy: { kind: 'user', id: person.userId, name: person.name }, at: savedAt }
    const author = saved?.author ?? (savedAt === null ? null : own)
    return {
      ...workflow,
      ...(author?.at ? { updatedBy: author.changedBy, updatedAt: author.at } : {}),
      draft,
      draftRevision: revision,
      isDraftPublished,
    }
  }, [workflow, draft, revision, saved, savedAt, person, isDraftPublished])
  return { workflow: edited, session }
}

function useDraftPlace(workflowId: IdText<WorkflowId>): DraftPlace {
  const { membership, session } = usePlace()
  return { userId: session.person.userId, organizationId: membership.organizationId, workflowId }
}
