import { classNames } from '../../atoms/styles/class-names.ts'
import { teamStoryWords as words } from '../../core/messages/en/teams/story.ts'
import type { ModeStory } from '../../core/teams/mode-story.ts'
import styles from './story-steps.module.css'

export interface StoryStepsProps {
  story: ModeStory
  activeStep: string | null
  onPoint(stepId: string | null): void
}

/** A story as a list: the text of the picture. Hovering a step highlights its lines. */
export function StorySteps({ story, activeStep, onPoint }: StoryStepsProps) {
  const { steps, notes, calls } = story
  return (
    <div className={styles.story}>
      <ol className={styles.steps} aria-label={words.title}>
        {steps.map(({ id, route, text, when, isDetour }, index) => (
          <li
            key={id}
            className={classNames(styles.step, activeStep === id && styles.active)}
            onPointerEnter={() => onPoint(id)}
            onPointerLeave={() => onPoint(null)}
          >
            <span className={classNames(styles.number, isDetour && styles.detour)} aria-hidden="true">
              {index + 1}
            </span>
            <span className={styles.words}>
              <span className={styles.route}>{route}</span>
              <span>{text}</span>
              <span className={styles.when}>{when}.</span>
            </span>
          </li>
        ))}
      </ol>
      {notes.length > 0 && (
        <ul className={styles.notes} aria-label={words.notesTitle}>
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      <p className={styles.calls}>
        <strong>{words.calls(calls.least, calls.most)}</strong> {words.callsDetail}
      </p>
    </div>
  )
}
