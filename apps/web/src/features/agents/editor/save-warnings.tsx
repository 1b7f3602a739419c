import type { FieldError } from '@troupe/contract'
import { Callout } from '../../../atoms/states/panels.tsx'
import { agentSectionWords as words } from '../../../core/messages/en/agents/agent-sections.ts'
import styles from './editor.module.css'

/** Saved settings that have no effect as written, from the last save here. Empty without any. */
export function SaveWarnings({ warnings }: { warnings: readonly FieldError[] }) {
  if (warnings.length === 0) return null
  return (
    <div role="status">
      <Callout tone="warn">
        <strong>{words.saveWarnings}</strong>
        <ul className={styles.warnings}>
          {warnings.map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              <code>{path.replace(/^config\./, '')}</code> {message}
            </li>
          ))}
        </ul>
      </Callout>
    </div>
  )
}
