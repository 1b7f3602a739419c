import type { MemberReviewDetail } from '@troupe/contract/builder'
import { useRef } from 'react'
import { Button } from '../../atoms/controls/button.tsx'
import { useFocusAfter } from '../../atoms/focus/focus-next.ts'
import { Callout } from '../../atoms/states/panels.tsx'
import { reviewWords as words } from '../../core/messages/en/operate/reviews.ts'
import {
  contestedFields,
  keptMine,
  proposerOf,
  takenTheirs,
  type unreadFields,
} from '../../core/reviews/contested.ts'
import type { ReviewDraft } from '../../core/reviews/decision.ts'
import type { Draft } from '../../infrastructure/drafts/use-draft.ts'
import { ShownValues } from '../../parts/review-votes/shown-values.tsx'
import styles from './reviews.module.css'
import { noteAnswered } from './sent-decisions.ts'

interface ContestedValuesProps {
  review: MemberReviewDetail
  draft: Draft<ReviewDraft>
  /** Unread changes by another approval, without an edit. */
  unread: ReturnType<typeof unreadFields>
  /** The user has chosen, or read the changes. */
  onRead(): void
}

/** Above the fields: another approval's changes since values were typed or read here, and the choice between both. */
export function ContestedValues(props: ContestedValuesProps) {
  const { review, draft, unread } = props
  const contested = contestedFields(draft, review)
  const fields = contested.length > 0 ? contested : unread
  return (
    <div role="status" className={styles.asked}>
      {fields.length > 0 && (
        <Question {...props} fields={fields} typed={contested.length > 0 ? draft.value : null} />
      )}
    </div>
  )
}

interface QuestionProps extends ContestedValuesProps {
  fields: ReturnType<typeof contestedFields>
  /** null: only the displayed values have changed. */
  typed: ReviewDraft | null
}

function Question({ review, fields, draft, typed, onRead }: QuestionProps) {
  const box = useRef<HTMLDivElement>(null)
  const section = useRef<Element | null>(null)
  useFocusAfter(box, () => section.current?.querySelector('input,textarea,button'))
  const isTyped = typed !== null && fields.some(({ name }) => Object.hasOwn(typed.data, name))
  const close = () => {
    section.current = box.current?.closest('section') ?? null
    // The server's refusal was about the previous values.
    noteAnswered(review.reviewId, null)
    onRead()
  }
  const choose = (next: ReturnType<typeof takenTheirs>) => {
    close()
    if (next === null) draft.discard()
    else draft.edit(next.value, next.base)
  }
  return (
    <div ref={box}>
      <Callout tone="warn">
        <div className={styles.contested}>
          <span>{(typed === null ? words.unread : words.contested)(proposerOf(review.votes))}</span>
          <ShownValues values={fields.map(({ label, value }) => ({ label: words.isNow(label), value }))} />
          <div className={styles.choices}>
            {typed !== null && isTyped && (
              <Button
                size="small"
                onPress={() => choose(takenTheirs({ value: typed, base: draft.base }, review))}
              >
                {words.takeTheirs}
              </Button>
            )}
            <Button size="small" onPress={() => (typed === null ? close() : choose(keptMine(typed, review)))}>
              {isTyped ? words.keepMine : words.goOn}
            </Button>
          </div>
        </div>
      </Callout>
    </div>
  )
}
