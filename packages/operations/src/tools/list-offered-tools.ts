import type { Scope } from '@troupe/agents/ports'
import { MAX_LISTED_TOOLS } from '@troupe/contract'
import type { OfferedToolNames } from '@troupe/contract/builder'
import { checkTool, type OpenToolParts, type TriedTool, withOpenTool } from './open-tool.ts'

/**
 * The names of the tools in a configuration; none is called.
 *
 * @throws DomainError `validation_error` or `credential_not_found`
 */
export async function listOfferedTools(
  parts: OpenToolParts,
  scope: Scope,
  tried: TriedTool,
): Promise<OfferedToolNames> {
  const checked = await checkTool(parts, scope, tried)
  const late = (seconds: number) => `It did not answer within ${seconds} s.`
  const listed = await withOpenTool(parts, checked, late, async ({ tools, leftOut = [] }) => {
    const standIn = tools[0]?.standIn
    if (standIn?.busy) throw standIn.busy
    const names = standIn?.names ?? tools.map(({ name }) => name)
    return {
      names: names.slice(0, MAX_LISTED_TOOLS),
      // A document with too many operations for one agent is still read, so that the person can choose among them.
      leftOut: leftOut.slice(0, MAX_LISTED_TOOLS).map(({ name, reason }) => ({ name, reason })),
      problem: standIn && names.length === 0 ? standIn.reason : null,
    }
  })
  return listed.ok ? listed.value : { names: [], leftOut: [], problem: listed.error.message }
}
