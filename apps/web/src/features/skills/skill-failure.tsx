import { FailurePanel } from '../../atoms/states/failure-panel.tsx'
import { skillWords } from '../../core/messages/en/resources/skills.ts'
import type { CallFailure } from '../../infrastructure/client/call-failure.ts'
import styles from './skills.module.css'

/** The reasons why a skill was not stored, with the file and the line of each problem. */
export function SkillFailure({ title, failure }: { title: string; failure: CallFailure | null }) {
  // The conflict with another user's version is handled in a dialog.
  if (failure === null || failure.current !== null) return null
  const [, ...others] = failure.errors
  return (
    <>
      <FailurePanel title={title} failure={failure.withErrors([])} />
      {others.length > 0 && (
        <ul className={styles.problems} aria-label={skillWords.files.problems}>
          {failure.errors.map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              <code translate="no">{path.replace(/^files\./, '')}</code> {message}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
