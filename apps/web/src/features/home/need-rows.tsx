import type { HomeView } from '@troupe/builder-contract'
import { CalendarClock, CircleX, Gauge, Inbox, KeyRound, Plug, ShieldQuestionMark } from 'lucide-react'
import type { RowItem } from '../../atoms/layout/page.tsx'
import { MomentText } from '../../atoms/states/moment-text.tsx'
import { homeWords as words } from '../../core/messages/en/operate/home.ts'
import { type OrganizationPaths, withSearch } from '../../core/url/paths.ts'
import { budgetShare } from '../../core/usage/budget-amount.ts'

/** Everything that needs a person, the most urgent kind first, each with the way to deal with it. */
export function needRows(home: HomeView, paths: OrganizationPaths): RowItem[] {
  return [
    ...home.reviews.next.map((review) => ({
      id: review.reviewId,
      title: review.title,
      detail: words.review(review.workflowName),
      lead: <Inbox size={16} aria-hidden="true" />,
      end: review.expiresAt === null ? <MomentText at={review.createdAt} /> : <Due at={review.expiresAt} />,
      href: paths.review(review.reviewId),
    })),
    ...home.approvals.next.map((approval) => ({
      id: approval.approvalId,
      title: words.approval(approval.agentName, approval.toolName),
      detail: words.approvalDetail,
      lead: <ShieldQuestionMark size={16} aria-hidden="true" />,
      end: <Due at={approval.expiresAt} />,
      href: paths.approval(approval.approvalId),
    })),
    ...home.failures.map((failure) => ({
      id: `failure-${failure.lastRunId}`,
      title: failure.entity.name ?? words.deleted,
      detail: `${words.failures(failure.count)} · ${failure.cause}`,
      lead: <CircleX size={16} aria-hidden="true" color="var(--danger)" />,
      end: <MomentText at={failure.lastAt} />,
      // One failure is opened; of several, the explorer shows all of that cause.
      href:
        failure.count === 1
          ? paths.run(failure.lastRunId)
          : withSearch(paths.runs, {
              ...{ entity: failure.entity.id, status: 'failed', cause: failure.cause },
              // The explorer counts from the start of runs, which may be long before their end.
              from: String(failure.since),
            }),
    })),
    ...home.failingModels.map((model) => ({
      id: model.llmConfigId,
      title: words.model(model.name),
      detail: [words.modelDetail(model.failed, model.calls), model.lastError].filter(Boolean).join(' · '),
      lead: <Plug size={16} aria-hidden="true" color="var(--danger)" />,
      href: paths.model(model.llmConfigId),
    })),
    ...home.budgets.map((budget) => ({
      id: budget.budgetId,
      title: words.budget(budgetShare(budget.used, budget.limit), words.metrics[budget.metric]),
      detail: words.budgetOf(budget.projectName),
      lead: <Gauge size={16} aria-hidden="true" color="var(--warn)" />,
      href: paths.settings('budgets'),
    })),
    ...home.unpriced.map((configuration) => ({
      id: `unpriced-${configuration.llmConfigId}`,
      title: words.unpriced(configuration.name, configuration.count),
      detail: words.unpricedDetail,
      lead: <Gauge size={16} aria-hidden="true" color="var(--danger)" />,
      href: paths.model(configuration.llmConfigId),
    })),
    ...home.schedules.map((problem) => ({
      id: `${problem.workflowId}-${problem.nodeId}-${problem.outcome}`,
      title: words.schedule(problem.workflowName, problem.count, problem.outcome),
      detail: problem.reason ?? undefined,
      lead: <CalendarClock size={16} aria-hidden="true" color="var(--warn)" />,
      end: <MomentText at={problem.lastAt} />,
      href: paths.workflow(problem.workflowId, 'triggers'),
    })),
    ...home.expiringKeys.map((key) => ({
      id: key.apiKeyId,
      title: words.key(key.name),
      detail: words.keyDetail,
      lead: <KeyRound size={16} aria-hidden="true" color="var(--warn)" />,
      end: <MomentText at={key.expiresAt} />,
      href: paths.settings('keys'),
    })),
  ]
}

function Due({ at }: { at: number }) {
  return (
    <>
      {words.dueWord} <MomentText at={at} />
    </>
  )
}
