import type { BuilderWorkflow } from '@troupe/contract/builder'
import type { Graph } from '@troupe/graph'
import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { createValueStore } from '../../../infrastructure/client/value-store.ts'
import { usePlace } from '../../../infrastructure/sign-in/session.ts'
import type { DraftSession } from './draft-session.ts'
import { type DraftPlace, draftSession, openKept } from './open-session.ts'

/** The session of this tab on the draft of a workflow; the component follows its changes. */
export function useDraftSession(workflow: BuilderWorkflow): DraftSession {
  const session = draftSession(useDraftPlace(workflow.workflowId), workflow)
  useSyncExternalStore(session.changes.subscribe, session.changes.get)
  return session
}

/** Follows nothing: the workflow is not loaded yet. */
const UNCHANGED = createValueStore(0)

/**
 * A workflow with its draft as this tab has it: with what is not saved yet, and with what others saved since the workflow was read.
 *
 * @param workflow undefined while it is loaded
 * @param isKnown whether it is as it was at an earlier visit
 */
export function useEditedWorkflow(
  workflow: BuilderWorkflow | undefined,
  isKnown: boolean,
): { workflow: BuilderWorkflow | undefined; session: DraftSession | null } {
  const { session: signIn, may } = usePlace()
  const place = useDraftPlace(workflow?.workflowId ?? '')
  const session = workflow ? draftSession(place, workflow) : null
  const changes = session?.changes ?? UNCHANGED
  useSyncExternalStore(changes.subscribe, changes.get)
  const mayBuild = may('build')
  // biome-ignore lint/correctness/useExhaustiveDependencies: told of each answer of the server, and opened once
  useEffect(() => {
    if (isKnown || !workflow || !session) return
    session.hear(workflow)
    if (mayBuild) void openKept(place, workflow)
  }, [session, workflow, isKnown, mayBuild])
  const { person } = signIn
  const [graph, revision, saved, status] = [
    session?.graph ?? null,
    session?.revision ?? 0,
    session?.saved ?? null,
    session?.status,
  ]
  const savedAt = graph === null ? null : (session?.editor.sync.savedAt ?? null)
  const edited = useMemo(() => {
    if (!workflow || graph === null) return workflow
    const own = { changedBy: { kind: 'user', id: person.userId, name: person.name }, at: savedAt }
    const author = saved?.author ?? (savedAt === null ? null : own)
    return {
      ...workflow,
      ...(author?.at ? { updatedBy: author.changedBy, updatedAt: author.at } : {}),
      draft: asDraft(graph),
      draftRevision: revision,
      isDraftPublished: status === 'saved' && (saved?.isDraftPublished ?? workflow.isDraftPublished),
    }
  }, [workflow, graph, revision, saved, savedAt, person, status])
  return { workflow: edited, session }
}

/** In the type of the contract, whose nodes are open objects. */
function asDraft({ nodes, edges, expose }: Graph): BuilderWorkflow['draft'] {
  return {
    nodes: nodes.map((node) => ({ ...node })),
    edges: edges.map((edge) => ({ ...edge })),
    ...(expose ? { expose } : {}),
  }
}

function useDraftPlace(workflowId: string): DraftPlace {
  const { membership, session } = usePlace()
  return { userId: session.person.userId, organizationId: membership.organizationId, workflowId }
}
