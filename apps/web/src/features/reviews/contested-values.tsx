import type { MemberReviewDetail } from '@troupe/builder-contract'
import { useRef } from 'react'
import { Button } from '../../atoms/controls/button.tsx'
import { useFocusAfter } from '../../atoms/focus/focus-next.ts'
import { Callout } from '../../atoms/states/panels.tsx'
import { reviewWords as words } from '../../core/messages/en/operate/reviews.ts'
import { contestedFields, keptMine, proposerOf, takenTheirs } from '../../core/reviews/contested.ts'
import type { ReviewDraft } from '../../core/reviews/decision.ts'
import type { Draft } from '../../infrastructure/drafts/use-draft.ts'
import styles from './reviews.module.css'
import { noteAnswered } from './sent-decisions.ts'
import { ShownValues } from './shown-value.tsx'

interface ContestedValuesProps {
  review: MemberReviewDetail
  draft: Draft<ReviewDraft>
}

/** Above the fields: what another approval has proposed since values were typed here, and the choice between both. */
export function ContestedValues({ review, draft }: ContestedValuesProps) {
  const fields = contestedFields(draft, review)
  return (
    <div role="status" className={styles.asked}>
      {draft.value !== null && fields.length > 0 && (
        <Question review={review} fields={fields} draft={draft} typed={draft.value} />
      )}
    </div>
  )
}

interface QuestionProps extends ContestedValuesProps {
  fields: ReturnType<typeof contestedFields>
  typed: ReviewDraft
}

function Question({ review, fields, draft, typed }: QuestionProps) {
  const box = useRef<HTMLDivElement>(null)
  const section = useRef<Element | null>(null)
  useFocusAfter(box, () => section.current?.querySelector('input,textarea,button'))
  const isTyped = fields.some(({ name }) => Object.hasOwn(typed.data, name))
  const choose = (next: ReturnType<typeof takenTheirs>) => {
    section.current = box.current?.closest('section') ?? null
    // A refusal of the server was about the values before.
    noteAnswered(review.reviewId, null)
    if (next === null) draft.discard()
    else draft.edit(next.value, next.base)
  }
  return (
    <div ref={box}>
      <Callout tone="warn">
        <div className={styles.contested}>
          <span>{words.contested(proposerOf(review.votes))}</span>
          <ShownValues values={fields.map(({ label, value }) => ({ label: words.isNow(label), value }))} />
          <div className={styles.choices}>
            {isTyped && (
              <Button
                size="small"
                onPress={() => choose(takenTheirs({ value: typed, base: draft.base }, review))}
              >
                {words.takeTheirs}
              </Button>
            )}
            <Button size="small" onPress={() => choose(keptMine(typed, review))}>
              {isTyped ? words.keepMine : words.goOn}
            </Button>
          </div>
        </div>
      </Callout>
    </div>
  )
}
