import { type BundleWarnings, MAX_BUNDLE_WARNINGS } from '@troupe/contract'
import { saveWarnings } from '@troupe/operations/agents/save-warnings'
import { addressWarnings } from '@troupe/operations/agents/source-check'
import type { OpenedBundle } from '../read/open-documents.ts'
import { keptFindings } from './check-sources.ts'
import type { PlanParts } from './plan-bundle.ts'
import type { OrganizationPlan } from './plan-organization.ts'

/**
 * The settings of new and changed agents in a bundle that have no effect as written, with their lines. Not called
 * within a transaction, because other servers may be called.
 */
export async function bundleWarnings(
  { toolSources }: Pick<PlanParts, 'toolSources'>,
  plans: readonly OrganizationPlan[],
  { lines }: Pick<OpenedBundle, 'lines'>,
  { skipsAddresses = false }: { skipsAddresses?: boolean },
): Promise<BundleWarnings> {
  const changed = plans.flatMap(({ organization, agents }) =>
    agents.filter((agent) => agent.changed).map((agent) => ({ ...agent, owner: organization.after.id })),
  )
  const warnings: BundleWarnings = []
  const add = (path: string, message: string) => {
    if (warnings.length < MAX_BUNDLE_WARNINGS) warnings.push({ line: lines.at(path), path, message })
  }
  for (const { owner, path, after, described } of changed) {
    // Computed while planning: a refusal as busy after the write would wrongly mean that nothing was written.
    const ofSources = await keptFindings(toolSources, owner, { described, after })
    for (const one of saveWarnings(after.config, ofSources.warnings)) add(`${path}.${one.path}`, one.message)
  }
  if (skipsAddresses) return warnings
  const agents = changed.map(({ owner, path, after }) => ({
    owner,
    path: `${path}.`,
    tools: after.config.tools,
  }))
  for (const { path, message } of await addressWarnings(toolSources, agents)) add(path, message)
  return warnings
}
