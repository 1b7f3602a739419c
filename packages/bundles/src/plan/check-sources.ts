import type { OrganizationId } from '@troupe/contract'
import {
  type SourceFindings,
  sourceFindings,
  type ToolSourceCheck,
} from '@troupe/operations/agents/source-check'
import { KeptResults } from '../resolve/kept-results.ts'
import type { Planner } from '../resolve/planner.ts'
import type { AgentStep } from './plan-agents.ts'

const found = new KeptResults<SourceFindings>()

/** The findings of an agent's scripts and documents, which are read once. */
export function keptFindings(
  check: ToolSourceCheck,
  owner: string,
  { described, after }: Pick<AgentStep, 'described' | 'after'>,
): Promise<SourceFindings> {
  return found.of(described, '', () => sourceFindings(check, owner, after.config.tools))
}

/** Refuses new and changed agents with a script that does not compile, or a document without usable operations. */
export async function checkSources(
  planner: Planner,
  organizationId: OrganizationId,
  agents: readonly AgentStep[],
): Promise<void> {
  for (const step of agents) {
    if (!step.changed) continue
    const { errors } = await keptFindings(planner.toolSources, organizationId, step)
    for (const error of errors) {
      planner.problems.add(`${step.path}.${error.path}`, error.message)
    }
  }
}
