import { AUDITED_KINDS, type AuditedKind } from '@troupe/contract'
import type { AuditedChange } from '@troupe/contract/builder'
import type { OrganizationPaths } from '../url/paths.ts'
import { RESOURCE_PAGES } from '../url/resource-pages.ts'

type PathOf = (paths: OrganizationPaths, id: string) => string

/** The page of each kind of resource; null: none. */
const PAGES: Readonly<Record<AuditedKind, PathOf | null>> = {
  ...RESOURCE_PAGES,
  run: (paths, id) => paths.run(id),
  review: (paths, id) => paths.review(id),
  approval: (paths, id) => paths.approval(id),
  workflow_test_case: null,
  knowledge_document: null,
  credential: null,
  phone_number: null,
  do_not_call: null,
  api_key: null,
  project: null,
  organization: null,
  member: null,
  invitation: null,
  budget: null,
  session: null,
  upload: null,
  memory: null,
  user_memories: null,
}

/** The page of a changed resource; null: it has none, or was deleted by this change. A deleted workflow keeps its page. */
export function entityLink(
  { action, entity }: Pick<AuditedChange, 'action' | 'entity'>,
  paths: OrganizationPaths,
): string | null {
  if (action.endsWith('.deleted') && entity.kind !== 'workflow') return null
  const kind = AUDITED_KINDS.find((one) => one === entity.kind)
  return (kind && PAGES[kind]?.(paths, entity.id)) ?? null
}

/**
 * The run and the workflow in which something was decided; null: the change is not a decision, or does not name
 * them.
 */
export function decidedIn(
  { entity, after }: Pick<AuditedChange, 'entity' | 'after'>,
  paths: OrganizationPaths,
): { run: string | null; workflow: { name: string; href: string } | null } {
  const isDecision = entity.kind === 'review' || entity.kind === 'approval'
  const { runId, workflowId, workflowName } = (isDecision && after) || {}
  return {
    run: typeof runId === 'string' ? paths.run(runId) : null,
    workflow:
      typeof workflowId === 'string' && typeof workflowName === 'string'
        ? { name: workflowName, href: paths.workflow(workflowId) }
        : null,
  }
}
