import { type FieldError, mergeAgentConfig, mergeTeamConfig } from '@troupe/contract'
import type { ConfigContent } from './config-content.ts'

/** What an editor edits. */
export type ConfigKind = 'agent' | 'team'

const LONGEST_NAME = 128

/**
 * What the server would refuse of a content, by the contract's own rules; references are the server's to check. Import it
 * when it is needed: it brings the schemas of the contract.
 */
export function checkContent(kind: ConfigKind, { name, config }: ConfigContent): FieldError[] {
  const merged = kind === 'agent' ? mergeAgentConfig(config) : mergeTeamConfig(config)
  return [...nameErrors(name), ...(merged.ok ? [] : merged.errors)]
}

function nameErrors(name: string): FieldError[] {
  if (name.trim() === '') return [{ path: 'name', message: 'is required' }]
  if (name.length > LONGEST_NAME) {
    return [{ path: 'name', message: `must have at most ${LONGEST_NAME} characters` }]
  }
  return []
}
