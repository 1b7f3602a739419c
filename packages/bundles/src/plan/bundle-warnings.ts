import { type BundleWarnings, MAX_BUNDLE_WARNINGS } from '@troupe/contract'
import { BusyError } from '@troupe/heavy-work'
import { saveWarnings } from '@troupe/operations/agents/save-warnings'
import { addressWarnings, sourceFindings } from '@troupe/operations/agents/source-check'
import type { OpenedBundle } from '../read/open-documents.ts'
import type { PlanParts } from './plan-bundle.ts'
import type { OrganizationPlan } from './plan-organization.ts'

const UNCHECKED = {
  path: 'config.tools',
  message: 'were not looked through for what agents do not get, because the server is busy',
}

/**
 * What new and changed agents of a bundle do not get as it is written, with its lines. Not within a transaction: other
 * servers may be asked.
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
  for (const { owner, path, after } of changed) {
    const ofSources = await sourceFindings(toolSources, owner, after.config.tools).catch((error: unknown) => {
      // The bundle may have been written: an error would say that it was not.
      if (error instanceof BusyError) return { warnings: [UNCHECKED] }
      throw error
    })
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
