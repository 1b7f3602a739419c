import { Callout } from '../../atoms/states/panels.tsx'
import { toolTestWords as words } from '../../core/messages/en/resources/tool-test.ts'
import styles from './tool-test.module.css'

/** Maximum listed tools; of more, only the number is shown. */
const MOST_SHOWN = 20

export interface LeftOutToolsProps {
  tools: readonly { name: string; reason: string }[]
}

/** The tools of a document or a server that agents do not get, each with its reason. Nothing without one. */
export function LeftOutTools({ tools }: LeftOutToolsProps) {
  if (tools.length === 0) return null
  const rest = tools.length - MOST_SHOWN
  return (
    <Callout tone="warn">
      <strong>{words.leftOut}</strong>
      <ul className={styles.leftOut}>
        {tools.slice(0, MOST_SHOWN).map(({ name, reason }) => (
          <li key={`${name} ${reason}`}>
            <code>{name}</code>: {reason}
          </li>
        ))}
        {rest > 0 && <li>{words.moreLeftOut(rest)}</li>}
      </ul>
    </Callout>
  )
}
