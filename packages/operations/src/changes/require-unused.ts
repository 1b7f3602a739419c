import { DomainError } from '@troupe/contract'

const KINDS = {
  agent: 'The agent',
  team: 'The team',
  workflow: 'The workflow',
  mcp_server: 'The MCP server',
  voice_configuration: 'The voice configuration',
} as const

/**
 * Refuses to delete a resource that is in use.
 *
 * @param what "this credential"
 * @throws DomainError `in_use`, naming the first user
 */
export function requireUnused(
  usedBy: readonly { kind: keyof typeof KINDS; name: string }[] | undefined,
  what: string,
): void {
  const [first, ...others] = usedBy ?? []
  if (!first) return
  const more = others.length === 0 ? '' : ` and ${others.length} more`
  const verb = others.length === 0 ? 'uses' : 'use'
  throw new DomainError('in_use', `${KINDS[first.kind]} “${first.name}”${more} still ${verb} ${what}.`)
}
