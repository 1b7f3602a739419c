import type { IdText, ReviewId } from '@troupe/contract'
import type { MemberReviewDetail } from '@troupe/contract/builder'
import { useState } from 'react'
import { TextArea } from '../../atoms/controls/text-field.tsx'
import { Card, Section } from '../../atoms/layout/page.tsx'
import { Markdown } from '../../atoms/markdown/markdown.tsx'
import { AskedPanel } from '../../atoms/states/asked-panel.tsx'
import { FailurePanel } from '../../atoms/states/failure-panel.tsx'
import { GonePanel } from '../../atoms/states/gone-panel.tsx'
import { Callout } from '../../atoms/states/panels.tsx'
import { reviewWords as words } from '../../core/messages/en/operate/reviews.ts'
import { changedDecision, contestedFields, unreadFields } from '../../core/reviews/contested.ts'
import {
  decisionBody,
  decisionErrors,
  EMPTY_REVIEW_DRAFT,
  isReviewDraft,
  type ReviewDraft,
} from '../../core/reviews/decision.ts'
import { formFailure } from '../../infrastructure/client/field-failure.ts'
import { useDraft } from '../../infrastructure/drafts/use-draft.ts'
import { useValue } from '../../infrastructure/preferences/use-value.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { SearchAction } from '../../parts/gone/search-action.tsx'
import { ReviewVotes } from '../../parts/review-votes/review-votes.tsx'
import { ShownValues } from '../../parts/review-votes/shown-values.tsx'
import { ContestedValues } from './contested-values.tsx'
import { DecisionBar } from './decision-bar.tsx'
import { ReviewFields } from './review-fields.tsx'
import { ReviewMeta } from './review-meta.tsx'
import { ReviewOutcome } from './review-outcome.tsx'
import styles from './reviews.module.css'
import { refusedDecisions } from './sent-decisions.ts'
import type { DecisionCall } from './use-decide.ts'
import { useFieldErrors } from './use-field-errors.ts'
import { useWatching } from './use-watching.ts'

interface ReviewPanelProps {
  reviewId: IdText<ReviewId>
  decide(call: DecisionCall): void
}

/** One review: the question, its data, and the decision. */
export function ReviewPanel({ reviewId, decide }: ReviewPanelProps) {
  const { paths } = usePlace()
  const review = useOperation('getReview', { params: { reviewId } }, useWatching())
  if (review.failure?.code === 'review_not_found') {
    return (
      <GonePanel
        look="part"
        search={<SearchAction />}
        title={words.goneReview}
        detail={words.goneReviewDetail}
        href={paths.reviews}
        label={words.inbox}
      />
    )
  }
  return (
    <AskedPanel asked={review} failed={words.reviewFailed} lines={8}>
      {(data) => <ReviewParts review={data} decide={decide} />}
    </AskedPanel>
  )
}

function ReviewParts({ review, decide }: { review: MemberReviewDetail } & Pick<ReviewPanelProps, 'decide'>) {
  const { status, instructions, data, fields, votes, obstacle, hasApproved } = review
  return (
    <>
      <ReviewMeta review={review} />
      {instructions !== '' && (
        <Section title={words.question}>
          <Card>
            <Markdown text={instructions} />
          </Card>
        </Section>
      )}
      {data.length > 0 && (
        <Section title={words.values}>
          <ShownValues values={data} />
        </Section>
      )}
      {status === 'open' && votes.length > 0 && (
        <Section title={words.earlier}>
          <ReviewVotes votes={votes} />
        </Section>
      )}
      {status !== 'open' && <ReviewOutcome review={review} />}
      {status === 'open' && obstacle !== null && <Callout>{obstacle}</Callout>}
      {status === 'open' && hasApproved && <Callout tone="good">{words.ownVote}</Callout>}
      {status === 'open' && obstacle === null && <Decision review={review} decide={decide} />}
      {status === 'open' && obstacle !== null && fields.length > 0 && (
        <Section title={words.proposed}>
          <ShownValues values={fields} />
        </Section>
      )}
    </>
  )
}

/** A reviewer who has approved sees the current proposed values, and may still reject. */
function Decision({ review, decide }: { review: MemberReviewDetail } & Pick<ReviewPanelProps, 'decide'>) {
  const { reviewId, title, fields, requireRejectComment, revision, hasApproved } = review
  const draft = useDraft(`review/${reviewId}`, isReviewDraft)
  const value = draft.value ?? EMPTY_REVIEW_DRAFT
  const refused = useValue(refusedDecisions).get(reviewId) ?? null
  const { errors, form, find, change } = useFieldErrors(refused)
  const contested = contestedFields(draft, review)
  const [read, setRead] = useState(review)
  const readNow = read.reviewId === reviewId ? read : review
  // The next review starts with its own first values.
  if (readNow !== read) setRead(review)
  const unread = unreadFields(draft, readNow, review)
  const edit = (part: Partial<ReviewDraft>) => {
    // Input is based on the read values, even while the conflict is shown.
    const next = changedDecision(draft, part, readNow)
    draft.edit(next.value, next.base)
  }
  const approveRefusal = contested.length > 0 ? words.chooseFirst : unread.length > 0 ? words.readFirst : null
  const send = (decision: 'approve' | 'reject') => {
    if (decision === 'approve' && approveRefusal !== null) return
    if (!find(decisionErrors(review, value, decision))) return
    // Hidden fields are not part of the decision.
    const shown = hasApproved ? { ...value, data: {} } : value
    const body = { ...decisionBody(shown, decision), revision }
    decide({ kind: 'review', id: reviewId, title, body, onStored: draft.discard })
  }
  const paths = ['comment', ...fields.map(({ name }) => `data.${name}`)]
  return (
    <div ref={form} className={styles.decision}>
      <FailurePanel title={words.decisionFailed(title)} failure={formFailure(refused, paths)} />
      {fields.length > 0 && hasApproved && (
        <Section title={words.proposed}>
          <ShownValues values={fields} />
        </Section>
      )}
      {fields.length > 0 && !hasApproved && (
        <Section title={words.fields} detail={words.fieldsDetail}>
          <ContestedValues {...{ review, draft, unread }} onRead={() => setRead(review)} />
          <ReviewFields
            fields={fields}
            draft={value}
            errors={errors}
            onChange={(name, changed) => {
              change(`data.${name}`)
              edit({ data: { ...value.data, [name]: changed } })
            }}
          />
        </Section>
      )}
      <TextArea
        label={words.comment}
        rows={2}
        isOptional={!requireRejectComment}
        description={requireRejectComment ? words.commentNeeded : words.commentDetail}
        value={value.comment}
        maxLength={2_000}
        error={errors.comment ?? null}
        onChange={(comment) => {
          change('comment')
          edit({ comment })
        }}
      />
      {/* Restored input must be read first: a decision by key would be sent without it. */}
      {!draft.isLoading && (
        <DecisionBar
          id={reviewId}
          approveRefusal={approveRefusal}
          onApprove={hasApproved ? null : () => send('approve')}
          onReject={() => send('reject')}
        />
      )}
    </div>
  )
}
