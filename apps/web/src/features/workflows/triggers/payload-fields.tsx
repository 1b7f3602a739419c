import { isJsonObject } from '@troupe/contract'
import type { GraphNode } from '@troupe/graph'
import { triggerWords } from '../../../core/messages/en/workflows/triggers.ts'
import styles from './triggers.module.css'

const words = triggerWords.webhook

/** The declared fields of an HTTP Request trigger; nothing when it accepts anything. */
export function PayloadFields({ trigger }: { trigger: GraphNode }) {
  const { fields } = trigger.config
  const declared = (Array.isArray(fields) ? fields : []).filter(isJsonObject)
  if (declared.length === 0) return null
  return (
    <table className={styles.fields}>
      <caption>{words.fieldsDetail}</caption>
      <thead>
        <tr>
          <th scope="col">{words.field}</th>
          <th scope="col">{words.type}</th>
          <th scope="col">{words.required}</th>
        </tr>
      </thead>
      <tbody>
        {declared.map(({ name, type, required }) => (
          <tr key={String(name)}>
            <td>
              <code translate="no">{String(name)}</code>
            </td>
            <td>{String(type)}</td>
            <td>{required === true ? words.required : words.optional}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
