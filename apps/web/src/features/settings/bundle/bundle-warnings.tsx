import type { AppliedBundle } from '@troupe/contract'
import { BareButton } from '../../../atoms/controls/bare-button.tsx'
import { Card } from '../../../atoms/layout/page.tsx'
import { Callout } from '../../../atoms/states/panels.tsx'
import { bundleWords } from '../../../core/messages/en/settings/bundle.ts'
import styles from './bundle.module.css'

export interface BundleWarningsProps {
  title: string
  warnings: AppliedBundle['warnings']
  /** Absent: the text is no longer available. */
  onGoTo?: (line: number) => void
}

/** The parts of a bundle that have no effect as written. */
export function BundleWarnings({ title, warnings = [], onGoTo }: BundleWarningsProps) {
  if (warnings.length === 0) return null
  return (
    <>
      <Callout tone="warn">{title}</Callout>
      <Card flush>
        <ul>
          {warnings.map(({ line, path, message }) => (
            <li key={`${path} ${message}`} className={styles.problem}>
              {line === null || !onGoTo ? (
                <span className={styles.faint}>
                  {line === null ? bundleWords.noLine : bundleWords.errorLine(line)}
                </span>
              ) : (
                <BareButton className={styles.line} onPress={() => onGoTo(line)}>
                  {bundleWords.errorLine(line)}
                </BareButton>
              )}
              <div className={styles.what}>
                <span>
                  <code translate="no">{path}</code> {message}
                </span>
              </div>
            </li>
          ))}
        </ul>
      </Card>
    </>
  )
}
