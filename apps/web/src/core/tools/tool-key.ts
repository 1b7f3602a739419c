import { propertyOf } from '@troupe/contract'

/** What makes a configured tool another one, whose call is tried with its own arguments. A renamed tool is the same. */
export function toolKey(tool: unknown): string {
  return ['type', 'builtin', 'server_id', 'agent_id', 'workflow_id']
    .map((key) => String(propertyOf(tool, key)))
    .join('/')
}
