import type { IdText, ProjectId } from '@troupe/contract'
import { type NamedBudget, unpricedFor } from '@troupe/contract/builder'
import { Gauge } from 'lucide-react'
import { useState } from 'react'
import { LazyDialog } from '../../atoms/overlays/lazy-dialog.tsx'
import { ActionMenu } from '../../atoms/overlays/menu.tsx'
import { lazyPart } from '../../atoms/parts/lazy-part.ts'
import { AskedPanel } from '../../atoms/states/asked-panel.tsx'
import { Empty } from '../../atoms/states/panels.tsx'
import { classNames } from '../../atoms/styles/class-names.ts'
import type { Column } from '../../atoms/table/columns.ts'
import { DataTable } from '../../atoms/table/data-table.tsx'
import { WaitingTable } from '../../atoms/table/waiting-table.tsx'
import { serverNow } from '../../core/format/server-clock.ts'
import { shortDate } from '../../core/format/times.ts'
import { settingsWords } from '../../core/messages/en/settings/settings.ts'
import { flagParam } from '../../core/url/search-params.ts'
import { budgetAmount, budgetShare, shortBudgetAmount } from '../../core/usage/budget-amount.ts'
import { budgetForecast } from '../../core/usage/forecast.ts'
import { forecastText, isShort } from '../../core/usage/forecast-text.ts'
import { useEntryRefusal } from '../../infrastructure/queries/use-entry-refusal.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'
import { useSearchParams } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { UnpricedModels } from '../../parts/budgets/unpriced-models.tsx'
import { ConfirmChange } from '../../parts/confirm-change/confirm-change.tsx'
import { useCreateButton } from '../../parts/lists/use-create-button.tsx'
import styles from './settings.module.css'
import { SettingsLayout } from './settings-layout.tsx'

// The list does not wait for the controls of the dialog.
const BudgetDialog = lazyPart(async () => (await import('./budget-dialog.tsx')).BudgetDialog)

const words = settingsWords.budgets
const NEAR = 0.8

const nameOf = ({ metric, projectName }: NamedBudget) =>
  `${words.metrics[metric]}, ${projectName ?? words.wholeOrganization}`

const COLUMNS: readonly Column<NamedBudget>[] = [
  {
    id: 'metric',
    title: words.metric,
    width: '26%',
    cell: ({ metric }) => <strong>{words.metrics[metric]}</strong>,
    under: scopeText,
  },
  { id: 'scope', title: words.scope, width: '18%', from: 'widest', cell: scopeText },
  {
    id: 'used',
    title: words.usedThisMonth,
    align: 'end',
    cell: usedText,
    under: (one) => <Meter {...one} />,
  },
  { id: 'meter', title: words.share, width: '128px', from: 'wide', cell: (one) => <Meter {...one} /> },
  {
    id: 'forecast',
    title: words.forecast,
    width: '184px',
    from: 'huge',
    cell: (budget) => {
      const forecast = budgetForecast(budget, serverNow())
      return <span className={isShort(forecast) ? styles.short : styles.faint}>{forecastText(forecast)}</span>
    },
  },
]

/** The exact numbers in a tooltip, if the column only has room for short ones. */
function usedText({ metric, used, limit }: NamedBudget) {
  const exact = words.used(budgetAmount(metric, used), budgetAmount(metric, limit))
  const short = words.used(shortBudgetAmount(metric, used), shortBudgetAmount(metric, limit))
  return <span title={short === exact ? undefined : exact}>{short}</span>
}

type Question = { kind: 'change' | 'remove'; budget: NamedBudget }

/** Settings → Budgets: the monthly limits and their current use; for a selected project, its limits. */
export function BudgetsPage() {
  const { may, projectId } = usePlace()
  const [{ create }, setParams] = useSearchParams({ create: flagParam })
  const [question, setQuestion] = useState<Question | null>(null)
  const budgets = useOperation('listBudgets', {})
  /** Resources of the organization concern every project. */
  const isHere = (one: { projectId: IdText<ProjectId> | null }) =>
    projectId === null || one.projectId === null || one.projectId === projectId
  const button = useCreateButton('manage', words.create, () => setParams({ create: true }, { push: true }))
  return (
    <SettingsLayout
      page="budgets"
      detail={words.detail}
      width="wide"
      requests={[{ title: words.curl, operation: 'listBudgets', input: {} }]}
      actions={button}
    >
      <AskedPanel
        asked={budgets}
        failed={words.failed}
        waiting={<WaitingTable columns={COLUMNS} hasActions />}
      >
        {({ data, unpriced }) => {
          const rows = data.filter(isHere)
          return (
            <>
              <UnpricedModels configurations={unpricedFor(rows, unpriced.filter(isHere))} isSet />
              <DataTable
                label={settingsWords.pages.budgets}
                rows={rows}
                columns={COLUMNS}
                idOf={({ budgetId }) => budgetId}
                nameOf={nameOf}
                actionsOf={(budget) => <BudgetActions budget={budget} onAsk={setQuestion} />}
                empty={
                  <Empty
                    picture={<Gauge size={22} />}
                    title={data.length === 0 ? words.emptyTitle : words.emptyHereTitle}
                    actions={button}
                  >
                    {data.length === 0 ? words.empty : words.emptyHere}
                  </Empty>
                }
              />
              {rows.length > 0 && <p className={styles.renewal}>{words.renews(nextMonth(serverNow()))}</p>}
            </>
          )
        }}
      </AskedPanel>
      <LazyDialog>
        {create && may('manage') && (
          <BudgetDialog budget={null} onClose={() => setParams({ create: false })} />
        )}
        {question?.kind === 'change' && (
          <BudgetDialog budget={question.budget} onClose={() => setQuestion(null)} />
        )}
      </LazyDialog>
      {question?.kind === 'remove' && (
        <RemoveBudgetDialog budget={question.budget} onClose={() => setQuestion(null)} />
      )}
    </SettingsLayout>
  )
}

function BudgetActions({ budget, onAsk }: { budget: NamedBudget; onAsk: (question: Question) => void }) {
  const refused = useEntryRefusal('manage')
  const entries = [
    { id: 'change', label: words.change, ...refused, onAction: () => onAsk({ kind: 'change', budget }) },
    {
      id: 'remove',
      label: words.remove,
      isDanger: true,
      ...refused,
      onAction: () => onAsk({ kind: 'remove', budget }),
    },
  ]
  return <ActionMenu label={words.actions(nameOf(budget))} entries={entries} />
}

function Meter({ used, limit }: NamedBudget) {
  const share = limit === 0 ? 1 : Math.min(1, used / limit)
  const state = share >= 1 ? styles.full : share >= NEAR ? styles.near : undefined
  return (
    <span className={styles.share}>
      <span className={styles.meter} aria-hidden="true">
        <span className={classNames(styles.fill, state)} style={{ inlineSize: `${share * 100}%` }} />
      </span>
      {budgetShare(used, limit)}
    </span>
  )
}

function RemoveBudgetDialog({ budget, onClose }: { budget: NamedBudget; onClose(): void }) {
  return (
    <ConfirmChange
      operation="deleteBudget"
      input={{ params: { budgetId: budget.budgetId } }}
      refreshes={['listBudgets']}
      title={words.removeTitle}
      action={words.removeAction}
      failed={words.removeFailed}
      onClose={onClose}
    >
      <p>{words.removeDetail}</p>
    </ConfirmChange>
  )
}

/** "1 Dec", the first day of the next month in UTC. */
function nextMonth(nowMs: number): string {
  const now = new Date(nowMs)
  const first = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1) / 1_000
  return shortDate(first, nowMs, 'en-GB', 'UTC')
}

function scopeText({ projectName }: NamedBudget): string {
  return projectName ?? words.wholeOrganization
}
