import type { RunDetail } from '@troupe/contract/builder'
import { TextLink } from '../../atoms/controls/text-link.tsx'
import { Callout } from '../../atoms/states/panels.tsx'
import { homeWords } from '../../core/messages/en/operate/home.ts'
import { runWords } from '../../core/messages/en/runs.ts'
import { budgetOfPause } from '../../core/runs/budget-pause.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'

/** The reason why a run waits for a used-up budget, and ways to resume it. */
export function BudgetNote({ run }: { run: Pick<RunDetail, 'statusReason'> }) {
  const { paths } = usePlace()
  const metric = budgetOfPause(run.statusReason)
  if (metric === null) return null
  return (
    <Callout tone="warn">
      <p>
        {runWords.outOfBudget(homeWords.metrics[metric])}{' '}
        <TextLink href={paths.settings('budgets')}>{runWords.budgets}</TextLink>
      </p>
    </Callout>
  )
}
