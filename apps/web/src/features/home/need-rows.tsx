import type { HomeView } from '@troupe/contract/builder'
import { CalendarClock, CircleX, Gauge, KeyRound, Plug } from 'lucide-react'
import { Suspense } from 'react'
import type { RowItem } from '../../atoms/layout/page.tsx'
import { lazyExtra } from '../../atoms/parts/lazy-part.ts'
import { KindTile } from '../../atoms/states/kind-tile.tsx'
import { MomentText } from '../../atoms/states/moment-text.tsx'
import { homeWords as words } from '../../core/messages/en/operate/home.ts'
import { argumentsText } from '../../core/reviews/arguments-text.ts'
import { byDeadline } from '../../core/reviews/by-deadline.ts'
import { type OrganizationPaths, withSearch } from '../../core/url/paths.ts'
import { budgetShare } from '../../core/usage/budget-amount.ts'
import styles from './home.module.css'

// Loaded when a call waits: its buttons bring tooltips, which nothing else on Home needs.
const DecideCall = lazyExtra(async () => (await import('./decide-call.tsx')).DecideCall)

/** Items that need the user's attention, the most urgent kind first, each with a link to resolve it. */
export function needRows(home: HomeView, paths: OrganizationPaths): RowItem[] {
  return [
    ...waitingRows(home, paths),
    ...home.failures.map((failure) => ({
      id: `failure-${failure.lastRunId}`,
      title: failure.entity.name ?? words.deleted,
      // The common cause of several failures, without their differences.
      detail: `${words.failures(failure.count)} · ${(failure.count === 1 && failure.lastError) || failure.cause}`,
      lead: <CircleX size={16} aria-hidden="true" color="var(--danger)" />,
      end: <MomentText at={failure.lastAt} />,
      // A single failure links to its run; several link to the explorer, filtered by cause.
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

/** Open decisions, in the order of the inbox. */
function waitingRows({ reviews, approvals }: HomeView, paths: OrganizationPaths): RowItem[] {
  const waiting = [
    ...reviews.next.map(({ reviewId, title, workflowName, expiresAt, createdAt }) => ({
      ...{ id: reviewId, title, detail: words.review(workflowName), expiresAt, createdAt },
      ...{ kind: 'review' as const, href: paths.review(reviewId), actions: undefined },
    })),
    ...approvals.next.map((approval) => {
      const { approvalId, agentName, toolName, args, expiresAt, createdAt } = approval
      return {
        ...{ id: approvalId, title: words.approval(agentName, toolName), expiresAt, createdAt },
        detail: argumentsText(args) || words.approvalDetail,
        ...{
          kind: 'tool' as const,
          href: paths.approval(approvalId),
          actions: (
            <Suspense fallback={<span className={styles.decide} />}>
              <DecideCall approval={approval} />
            </Suspense>
          ),
        },
      }
    }),
  ]
  return byDeadline(waiting).map(({ id, title, detail, kind, href, actions, expiresAt, createdAt }) => ({
    ...{ id, title, detail, href, actions },
    lead: <KindTile kind={kind} size="small" />,
    end: expiresAt === null ? <MomentText at={createdAt} /> : <Due at={expiresAt} />,
  }))
}

function Due({ at }: { at: number }) {
  return (
    <span>
      {words.dueWord} <MomentText at={at} />
    </span>
  )
}
