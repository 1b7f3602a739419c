import type { ApprovalId, IdText, ReviewId } from '@troupe/contract'
import type { MemberApproval, MemberReviewDetail, RunDetail } from '@troupe/contract/builder'
import { Check, X } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { LinkButton, TextLink } from '../../atoms/controls/text-link.tsx'
import { KeyMark } from '../../atoms/keys/key-mark.tsx'
import { Card, Section } from '../../atoms/layout/page.tsx'
import { Markdown } from '../../atoms/markdown/markdown.tsx'
import { showNotice } from '../../atoms/overlays/notice-store.ts'
import { RefusableButton } from '../../atoms/overlays/refusable-button.tsx'
import { AskedPanel } from '../../atoms/states/asked-panel.tsx'
import { MomentText } from '../../atoms/states/moment-text.tsx'
import { Callout } from '../../atoms/states/panels.tsx'
import { useSendingRefusal } from '../../atoms/states/sending-refusal.ts'
import { reviewWords } from '../../core/messages/en/operate/reviews.ts'
import { decideWords as words } from '../../core/messages/en/parts/decide.ts'
import { type BroughtUp, isDoublePress, shownAt } from '../../core/reviews/double-press.ts'
import { isDecidedInPlace, waitingDecisions } from '../../core/runs/waiting-decisions.ts'
import { useKeys } from '../../infrastructure/keys/use-keys.ts'
import { useChange, useOperation } from '../../infrastructure/queries/use-operation.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { useDecideCall } from '../../parts/decisions/use-decide-call.ts'
import { ShownValues } from '../../parts/review-votes/shown-values.tsx'
import styles from './runs.module.css'

/** The open decisions of a run on its own page: tool calls, and reviews without editable values. */
export function RunDecisions({ run }: { run: RunDetail }) {
  const { paths, may } = usePlace()
  const { approvals, reviews, inside } = waitingDecisions(run)
  const ids = [...approvals.map(({ approvalId }) => approvalId), ...reviews.map(({ reviewId }) => reviewId)]
  const first = ids[0] ?? ''
  const guard = useRef<BroughtUp | null>(null)
  useEffect(() => {
    guard.current = shownAt(guard.current, first, performance.now())
  }, [first])
  if (!may('decide') || approvals.length + reviews.length + inside.length === 0) return null
  // The next decision appears unread under the pointer and the same key: a second press must not apply to it.
  const keysOf = (id: string) => ({
    hasKeys: id === first,
    isDouble: () => guard.current?.shownAtMs !== null && isDoublePress(guard.current, id, performance.now()),
    onDecide: () => {
      const next = ids[ids.indexOf(id) + 1]
      guard.current = next === undefined ? null : { id: next, shownAtMs: null }
    },
  })
  return (
    <Section title={words.title} detail={words.detail}>
      {approvals.map(({ approvalId }) => (
        <WaitingCall key={approvalId} approvalId={approvalId} keys={keysOf(approvalId)} />
      ))}
      {reviews.map(({ reviewId }) => (
        <WaitingReview key={reviewId} reviewId={reviewId} keys={keysOf(reviewId)} />
      ))}
      {inside.map(({ runId, step }) => (
        <Callout key={runId} tone="warn">
          {words.waitsInside(step)} <TextLink href={paths.run(runId)}>{words.toRun}</TextLink>
        </Callout>
      ))}
    </Section>
  )
}

interface Keys {
  hasKeys: boolean
  isDouble(): boolean
  onDecide(): void
}

function WaitingCall({ approvalId, keys }: { approvalId: IdText<ApprovalId>; keys: Keys }) {
  const asked = useOperation('getApproval', { params: { approvalId } })
  return (
    <Card>
      <AskedPanel asked={asked} failed={reviewWords.reviewFailed} lines={3}>
        {(approval) => <CallToDecide approval={approval} keys={keys} />}
      </AskedPanel>
    </Card>
  )
}

function CallToDecide({ approval, keys }: { approval: MemberApproval; keys: Keys }) {
  const { paths } = usePlace()
  const { approvalId, agentName, toolName, args, expiresAt } = approval
  const title = reviewWords.toolTitle(agentName, toolName)
  const { decide, isPending } = useDecideCall(approvalId, title)
  const values = Object.entries(args).map(([label, value]) => ({ label, value }))
  return (
    <>
      <WaitingHead title={title} expiresAt={expiresAt} />
      {values.length === 0 ? <p>{reviewWords.noArgs}</p> : <ShownValues values={values} />}
      <Decide
        keys={keys}
        isPending={isPending}
        onApprove={() => decide('approve')}
        onReject={() => decide('reject')}
        more={<TextLink href={paths.approval(approvalId)}>{words.withReason}</TextLink>}
      />
    </>
  )
}

function WaitingReview({ reviewId, keys }: { reviewId: IdText<ReviewId>; keys: Keys }) {
  const asked = useOperation('getReview', { params: { reviewId } })
  return (
    <Card>
      <AskedPanel asked={asked} failed={reviewWords.reviewFailed} lines={3}>
        {(review) => <ReviewToDecide review={review} keys={keys} />}
      </AskedPanel>
    </Card>
  )
}

function ReviewToDecide({ review, keys }: { review: MemberReviewDetail; keys: Keys }) {
  const { paths } = usePlace()
  const { reviewId, title, instructions, data, revision, obstacle, expiresAt } = review
  const change = useChange('decideReview', {
    refreshes: ['listReviews', 'getReview', 'getHome', 'getRun', 'listRuns'],
  })
  const decide = async (decision: 'approve' | 'reject') => {
    const done = await change.run({ params: { reviewId }, body: { decision, revision } }, ({ message }) =>
      showNotice({ tone: 'bad', title: words.failed(title), detail: message }),
    )
    if (done) showNotice({ title: words.done[decision](title) })
  }
  const link = paths.review(reviewId)
  return (
    <>
      <WaitingHead title={title} expiresAt={expiresAt} />
      {instructions !== '' && <Markdown text={instructions} />}
      {data.length > 0 && <ShownValues values={data} />}
      {obstacle !== null && <Callout>{obstacle}</Callout>}
      {isDecidedInPlace(review) ? (
        <Decide
          keys={keys}
          isPending={change.isPending}
          onApprove={() => void decide('approve')}
          onReject={() => void decide('reject')}
          more={<TextLink href={link}>{words.withReason}</TextLink>}
        />
      ) : (
        <div className={styles.decide}>
          <LinkButton href={link}>{words.toReview}</LinkButton>
        </div>
      )}
    </>
  )
}

function WaitingHead({ title, expiresAt }: { title: string; expiresAt: number | null }) {
  return (
    <div className={styles.head}>
      <strong className={styles.name}>{title}</strong>
      {expiresAt !== null && (
        <span className={styles.end}>
          {reviewWords.dueWord} <MomentText at={expiresAt} />
        </span>
      )}
    </div>
  )
}

interface DecideProps {
  keys: Keys
  isPending: boolean
  onApprove(): void
  onReject(): void
  /** A link to a decision with a reason. */
  more: ReactNode
}

/** The two decision buttons; `A` and `R` apply to the first open one. */
function Decide({
  keys: { hasKeys, isDouble, onDecide },
  isPending,
  onApprove,
  onReject,
  more,
}: DecideProps) {
  const refusal = useSendingRefusal()
  const once = (run: () => void) => () => {
    if (isPending || isDouble()) return
    onDecide()
    run()
  }
  useKeys(
    hasKeys
      ? [
          { keys: 'a', label: words.approve, refusal, run: once(onApprove) },
          { keys: 'r', label: words.reject, refusal, run: once(onReject) },
        ]
      : [],
  )
  return (
    <div className={styles.decide}>
      <RefusableButton
        refusal={null}
        emphasis="primary"
        icon={<Check size={16} />}
        isPending={isPending}
        onPress={once(onApprove)}
      >
        {words.approve} {hasKeys && <KeyMark>A</KeyMark>}
      </RefusableButton>
      <RefusableButton refusal={null} icon={<X size={16} />} isPending={isPending} onPress={once(onReject)}>
        {words.reject} {hasKeys && <KeyMark>R</KeyMark>}
      </RefusableButton>
      {more}
    </div>
  )
}
