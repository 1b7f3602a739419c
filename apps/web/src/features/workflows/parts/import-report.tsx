import type { ImportedDraft } from '@troupe/contract/builder'
import { Disclosure } from '../../../atoms/layout/disclosure.tsx'
import { wholeNumber } from '../../../core/format/numbers.ts'
import { importWords as words } from '../../../core/messages/en/workflows/importing.ts'
import { groupImport, type ReportLine } from '../../../core/workflows/import-groups.ts'
import styles from './import-report.module.css'

/** Maximum rows of initially open groups. */
const MAX_OPEN = 12

/** The result for each node of an export, before its draft is created. */
export function ImportReport({ imported: { format, report } }: { imported: ImportedDraft }) {
  const groups = groupImport(report)
  const { differing, same, standIns, notes } = groups
  const steps = differing.length + same.length
  return (
    <section className={styles.report} aria-label={words.report}>
      <strong role="status">
        {words.summary(words.formats[format], steps, standIns.length, notes.length)}
      </strong>
      {report.remarks.length > 0 && (
        <ul>
          {report.remarks.map((remark) => (
            <li key={remark}>{remark}</li>
          ))}
        </ul>
      )}
      <Group title={words.choices} lines={groups.choices} isOpenAtFirst />
      <Group title={words.standIns} lines={standIns} isOpenAtFirst />
      <Group title={words.notes} lines={notes} />
      <Group title={words.lost} lines={groups.lost} isOpenAtFirst />
      <Group title={words.differing} lines={differing} />
      <Group title={words.same} lines={same} />
      <Group title={words.parts} lines={groups.parts} />
    </section>
  )
}

function Group(props: { title: string; lines: readonly ReportLine[]; isOpenAtFirst?: boolean }) {
  const { title, lines, isOpenAtFirst = false } = props
  if (lines.length === 0) return null
  return (
    <Disclosure
      title={title}
      summary={wholeNumber(lines.length)}
      isOpenAtFirst={isOpenAtFirst && lines.length <= MAX_OPEN}
    >
      <ul className={styles.lines}>
        {lines.map(({ name, detail }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines never change places, and two may be equal.
          <li key={index}>
            {name} <span className={styles.detail}>{detail}</span>
          </li>
        ))}
      </ul>
    </Disclosure>
  )
}
