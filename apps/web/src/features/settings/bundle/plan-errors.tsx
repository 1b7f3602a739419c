import type { BundlePreview } from '@troupe/contract/builder'
import { BareButton } from '../../../atoms/controls/bare-button.tsx'
import { Card } from '../../../atoms/layout/page.tsx'
import { Callout } from '../../../atoms/states/panels.tsx'
import { lineAt } from '../../../core/bundles/bundle-text.ts'
import { bundleWords } from '../../../core/messages/en/settings/bundle.ts'
import styles from './bundle.module.css'

const MOST_SHOWN = 100
const LONGEST_LINE = 160

export interface PlanErrorsProps {
  errors: BundlePreview['errors']
  text: string
  onGoTo(line: number): void
}

/** The problems of a bundle, with the line and its text. */
export function PlanErrors({ errors, text, onGoTo }: PlanErrorsProps) {
  return (
    <>
      <Callout tone="bad">{bundleWords.errorsTitle(errors.length)}</Callout>
      <Card flush>
        <ul>
          {errors.slice(0, MOST_SHOWN).map(({ line, path, message }) => (
            <li key={`${line} ${path} ${message}`} className={styles.problem}>
              {line === null ? (
                <span className={styles.faint}>{bundleWords.noLine}</span>
              ) : (
                <BareButton className={styles.line} onPress={() => onGoTo(line)}>
                  {bundleWords.errorLine(line)}
                </BareButton>
              )}
              <div className={styles.what}>
                <span>
                  <code translate="no">{path || bundleWords.wholePath}</code> {message}
                </span>
                {line !== null && (
                  <code translate="no" className={styles.excerpt}>
                    {lineAt(text, line).trim().slice(0, LONGEST_LINE)}
                  </code>
                )}
              </div>
            </li>
          ))}
        </ul>
      </Card>
    </>
  )
}
