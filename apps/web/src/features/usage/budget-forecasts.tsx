import { type NamedBudget, unpricedFor } from '@troupe/contract/builder'
import { LinkButton } from '../../atoms/controls/text-link.tsx'
import { Card, Section } from '../../atoms/layout/page.tsx'
import { AskedPanel } from '../../atoms/states/asked-panel.tsx'
import { classNames } from '../../atoms/styles/class-names.ts'
import { serverNow } from '../../core/format/server-clock.ts'
import { usageWords as words } from '../../core/messages/en/operate/usage.ts'
import { budgetAmount, budgetShare } from '../../core/usage/budget-amount.ts'
import { budgetForecast } from '../../core/usage/forecast.ts'
import { forecastText, isShort } from '../../core/usage/forecast-text.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { UnpricedModels } from '../../parts/budgets/unpriced-models.tsx'
import styles from './usage.module.css'

const NEAR = 0.8

/** The budgets of the month, each with its forecast date of exhaustion. */
export function BudgetForecasts() {
  const { paths, projectId } = usePlace()
  const budgets = useOperation('listBudgets', {})
  const isShown = (one: Pick<NamedBudget, 'projectId'>) =>
    projectId === null || one.projectId === null || one.projectId === projectId
  return (
    <Section
      title={words.budgets}
      detail={words.budgetsDetail}
      actions={
        <LinkButton size="small" href={paths.settings('budgets')}>
          {words.manageBudgets}
        </LinkButton>
      }
    >
      <AskedPanel asked={budgets} failed={words.budgetsFailed} lines={2}>
        {({ data, unpriced }) => {
          const shown = data.filter(isShown)
          if (shown.length === 0)
            return (
              <Card>
                <p className={styles.quiet}>{words.noBudgets}</p>
              </Card>
            )
          return (
            <>
              <UnpricedModels configurations={unpricedFor(shown, unpriced.filter(isShown))} isSet />
              <Card flush>
                <ul className={styles.budgets}>
                  {shown.map((budget) => (
                    <li key={budget.budgetId}>
                      <BudgetLine budget={budget} />
                    </li>
                  ))}
                </ul>
              </Card>
            </>
          )
        }}
      </AskedPanel>
    </Section>
  )
}

function BudgetLine({ budget }: { budget: NamedBudget }) {
  const { metric, used, limit, projectName } = budget
  const share = limit === 0 ? 1 : Math.min(1, used / limit)
  const state = share >= 1 ? styles.full : share >= NEAR ? styles.near : undefined
  const forecast = budgetForecast(budget, serverNow())
  return (
    <div className={styles.budget}>
      <span className={styles.budgetName}>
        <strong>{words.budgetMetrics[metric]}</strong>
        <span className={styles.quiet}>{projectName ?? words.wholeOrganization}</span>
      </span>
      <span className={styles.budgetMeter}>
        <span className={styles.meter} aria-hidden="true">
          <span className={classNames(styles.fill, state)} style={{ inlineSize: `${share * 100}%` }} />
        </span>
        <span className={styles.quiet}>
          {words.used(budgetAmount(metric, used), budgetAmount(metric, limit))} · {budgetShare(used, limit)}
        </span>
      </span>
      <span className={isShort(forecast) ? styles.bad : styles.quiet}>{forecastText(forecast)}</span>
    </div>
  )
}
