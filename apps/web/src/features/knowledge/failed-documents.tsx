import type { KnowledgeDocument } from '@troupe/contract'
import { Callout } from '../../atoms/states/panels.tsx'
import { knowledgeWords } from '../../core/messages/en/resources/knowledge.ts'
import styles from './knowledge.module.css'

/** Maximum listed reasons; more would push the list off the page, and the filter shows them all. */
const MOST = 5

/** The errors of this page's documents. */
export function FailedDocuments({ documents }: { documents: readonly KnowledgeDocument[] }) {
  const failed = documents.filter(({ status }) => status === 'failed').slice(0, MOST)
  if (failed.length === 0) return null
  return (
    <Callout tone="bad">
      <strong>{knowledgeWords.documents.problems}</strong>
      <ul className={styles.reasons}>
        {failed.map(({ documentId, name, error }) => (
          <li key={documentId}>
            {name}: {error}
          </li>
        ))}
      </ul>
    </Callout>
  )
}
