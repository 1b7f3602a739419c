import type { ApprovalId, IdText } from '@troupe/contract'
import type { MemberApproval } from '@troupe/contract/builder'
import { TextArea } from '../../atoms/controls/text-field.tsx'
import { TextLink } from '../../atoms/controls/text-link.tsx'
import { Card, Section } from '../../atoms/layout/page.tsx'
import { AskedPanel } from '../../atoms/states/asked-panel.tsx'
import { Status } from '../../atoms/states/badge.tsx'
import { FailurePanel } from '../../atoms/states/failure-panel.tsx'
import { GonePanel } from '../../atoms/states/gone-panel.tsx'
import { MomentText } from '../../atoms/states/moment-text.tsx'
import { reviewWords as words } from '../../core/messages/en/operate/reviews.ts'
import { decisionBody, EMPTY_REVIEW_DRAFT, isReviewDraft } from '../../core/reviews/decision.ts'
import { useDraft } from '../../infrastructure/drafts/use-draft.ts'
import { useValue } from '../../infrastructure/preferences/use-value.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { SearchAction } from '../../parts/gone/search-action.tsx'
import { ShownValues } from '../../parts/review-votes/shown-values.tsx'
import { DecisionBar } from './decision-bar.tsx'
import { REVIEW_STATES } from './review-states.ts'
import styles from './reviews.module.css'
import { refusedDecisions } from './sent-decisions.ts'
import type { DecisionCall } from './use-decide.ts'
import { useWatching } from './use-watching.ts'

interface ApprovalPanelProps {
  approvalId: IdText<ApprovalId>
  decide(call: DecisionCall): void
}

/** The approval of a tool call. */
export function ApprovalPanel({ approvalId, decide }: ApprovalPanelProps) {
  const { paths } = usePlace()
  const asked = useOperation('getApproval', { params: { approvalId } }, useWatching())
  if (asked.failure?.code === 'approval_not_found')
    return (
      <GonePanel
        look="part"
        search={<SearchAction />}
        title={words.gone}
        detail={words.goneDetail}
        href={paths.reviews}
        label={words.inbox}
      />
    )
  return (
    <AskedPanel asked={asked} failed={words.reviewFailed} lines={6}>
      {(approval) => <ApprovalParts approval={approval} decide={decide} />}
    </AskedPanel>
  )
}

function ApprovalParts({
  approval,
  decide,
}: { approval: MemberApproval } & Pick<ApprovalPanelProps, 'decide'>) {
  const { status, args, resolvedBy, reason } = approval
  const values = Object.entries(args).map(([label, value]) => ({ label, value }))
  return (
    <>
      <ApprovalMeta approval={approval} />
      <Section title={words.args} detail={words.argsDetail}>
        {values.length === 0 ? <p>{words.noArgs}</p> : <ShownValues values={values} />}
      </Section>
      {status === 'pending' ? (
        <ApprovalDecision approval={approval} decide={decide} />
      ) : (
        <Section title={words.outcome}>
          <Card>
            <p>
              <strong>{words.statuses[status]}</strong> {resolvedBy && words.outcomeBy(resolvedBy.name)}
            </p>
            {reason !== null && <p className={styles.text}>{reason}</p>}
            {status === 'expired' && reason === null && <p>{words.nobody.expired}</p>}
          </Card>
        </Section>
      )}
    </>
  )
}

function ApprovalMeta({ approval }: { approval: MemberApproval }) {
  const { paths, may } = usePlace()
  const { status, agentId, agentName, runId, createdAt, expiresAt } = approval
  const name = agentName || words.deletedAgent
  return (
    <div className={styles.meta}>
      <Status state={REVIEW_STATES[status]} look="badge">
        {words.statuses[status]}
      </Status>
      <span>{may('read') && agentName ? <TextLink href={paths.agent(agentId)}>{name}</TextLink> : name}</span>
      <span>
        {words.askedWord} <MomentText at={createdAt} />
      </span>
      {status === 'pending' && (
        <span>
          {words.dueWord} <MomentText at={expiresAt} />
        </span>
      )}
      {may('read') && <TextLink href={paths.run(runId)}>{words.openRun}</TextLink>}
    </div>
  )
}

function ApprovalDecision({
  approval,
  decide,
}: { approval: MemberApproval } & Pick<ApprovalPanelProps, 'decide'>) {
  const { approvalId, agentName, toolName } = approval
  const title = words.toolTitle(agentName, toolName)
  const draft = useDraft(`approval/${approvalId}`, isReviewDraft)
  const refused = useValue(refusedDecisions).get(approvalId) ?? null
  const value = draft.value ?? EMPTY_REVIEW_DRAFT
  const send = (decision: 'approve' | 'reject') =>
    decide({
      kind: 'approval',
      id: approvalId,
      title,
      body: decisionBody(value, decision),
      onStored: draft.discard,
    })
  return (
    <>
      <FailurePanel title={words.decisionFailed(title)} failure={refused} />
      <TextArea
        label={words.reason}
        rows={2}
        isOptional
        description={words.reasonDetail}
        value={value.comment}
        maxLength={2_000}
        onChange={(comment) => draft.edit({ ...value, comment }, approvalId)}
      />
      {/* A restored comment is read first: a decision by key would be sent without it. */}
      {!draft.isLoading && (
        <DecisionBar id={approvalId} onApprove={() => send('approve')} onReject={() => send('reject')} />
      )}
    </>
  )
}
