import { propertyOf } from '@troupe/contract'

/** The identity of a configured tool, whose test has its own arguments. A renamed tool is the same. */
export function toolKey(tool: unknown): string {
  return ['type', 'builtin', 'server_id', 'agent_id', 'workflow_id']
    .map((key) => String(propertyOf(tool, key)))
    .join('/')
}
