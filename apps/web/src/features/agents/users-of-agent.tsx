import type { AgentDetails } from '@troupe/contract/builder'
import { agentEditorWords as words } from '../../core/messages/en/agents/agent-editor.ts'
import { UsersLine } from '../../parts/used-by/users-line.tsx'
import styles from './editor/editor.module.css'

/** The teams and workflows that run an agent, with links, and the callers of a draft. */
export function UsersOfAgent({ usedBy, status }: Pick<AgentDetails, 'usedBy' | 'status'>) {
  return (
    <span className={styles.used}>
      {usedBy.length === 0 ? <span>{words.notUsed}</span> : <UsersLine usedBy={usedBy} />}
      {status === 'draft' && <span>{words.draftNote}</span>}
    </span>
  )
}
