import { useState } from 'react'
import { CodeBlock } from '../../atoms/code/code-field.tsx'
import { Disclosure } from '../../atoms/layout/disclosure.tsx'
import { Callout } from '../../atoms/states/panels.tsx'
import { crashReport } from '../../core/format/crash-report.ts'
import { shellStateWords } from '../../core/messages/en/shell-states.ts'
import styles from './crash-details.module.css'

/** The technical details of a crash, folded: to copy into a report. */
export function CrashDetails({ error }: { error: unknown }) {
  const { details, content, label } = shellStateWords.crash
  // Of the moment of the crash.
  const [report] = useState(() =>
    crashReport(error, {
      at: new Date(),
      path: window.location.pathname + window.location.search,
      browser: navigator.userAgent,
    }),
  )
  return (
    <div className={styles.details}>
      <Disclosure look="line" title={details}>
        <Callout>{content}</Callout>
        <CodeBlock label={label} text={report} isWrapped />
      </Disclosure>
    </div>
  )
}
