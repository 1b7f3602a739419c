import type { BudgetMetric } from '@troupe/contract'
import { type NamedBudget, unpricedFor } from '@troupe/contract/builder'
import { NumberField } from '../../atoms/controls/number-field.tsx'
import { Select } from '../../atoms/controls/select.tsx'
import { FormDialog } from '../../atoms/overlays/form-dialog.tsx'
import { showNotice } from '../../atoms/overlays/notice-store.ts'
import { Callout } from '../../atoms/states/panels.tsx'
import { settingsWords } from '../../core/messages/en/settings/settings.ts'
import { budgetAmount } from '../../core/usage/budget-amount.ts'
import { formFailure } from '../../infrastructure/client/field-failure.ts'
import { controlsOf } from '../../infrastructure/drafts/controls-of.ts'
import { useTypedForm } from '../../infrastructure/drafts/use-typed-form.ts'
import { useChange, useOperation } from '../../infrastructure/queries/use-operation.ts'
import { useProjects } from '../../infrastructure/queries/use-whole-list.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { UnpricedModels } from '../../parts/budgets/unpriced-models.tsx'
import { OptionPicker } from '../../parts/pickers/option-picker.tsx'

const words = settingsWords.budgets
const WHOLE = 'whole'
/** In this order; every metric of the contract is listed. */
const METRICS = Object.keys({
  llm_cost_usd: true,
  llm_tokens: true,
  workflow_runs: true,
  voice_minutes: true,
} satisfies Record<BudgetMetric, true>) as BudgetMetric[]

interface BudgetFields {
  metric: NamedBudget['metric']
  limit: number | null
  scope: string
}

/** Sets a budget, or changes the limit of one. */
export function BudgetDialog({ budget, onClose }: { budget: NamedBudget | null; onClose(): void }) {
  const { projectId: here } = usePlace()
  const typed = useTypedForm<BudgetFields>(`budget/${budget?.budgetId ?? 'new'}`, {
    metric: budget?.metric ?? 'llm_cost_usd',
    limit: budget?.limit ?? null,
    scope: (budget ? budget.projectId : here) ?? WHOLE,
  })
  const { metric, limit, scope } = typed.fields
  const projects = useProjects()
  const budgets = useOperation('listBudgets', {})
  const projectId = scope === WHOLE ? null : scope
  const replaced = budget
    ? undefined
    : budgets.data?.data.find((one) => one.metric === metric && one.projectId === projectId)
  const known = budget ?? replaced
  const save = useChange('setBudget', { refreshes: ['listBudgets'] })
  const submit = async () => {
    if (limit === null) return
    const body = { metric, limit, projectId }
    const saved = await save.run({ body })
    if (!saved) return
    typed.discard()
    onClose()
    const { used } = saved.answer
    if (used >= limit) {
      const title = words.spentTitle(budgetAmount(metric, used), budgetAmount(metric, limit))
      showNotice({ title, detail: words.spentDetail(words.refused[metric]), tone: 'bad' })
    }
    // The page lists the limits of its project.
    if (here === null || projectId === null || projectId === here) return
    const project = projects.data?.find((one) => one.projectId === projectId)?.name ?? words.anotherProject
    showNotice({ title: words.setElsewhere(project), detail: words.setElsewhereDetail })
  }
  const control = controlsOf(typed, save.failure)
  return (
    <FormDialog
      title={words.createTitle}
      onClose={onClose}
      action={words.save}
      onSubmit={submit}
      isPending={save.isPending}
      isComplete={limit !== null}
      failed={words.createFailed}
      failure={formFailure(save.failure, ['limit'])}
      typed={typed}
    >
      <Select
        label={words.metric}
        value={metric}
        onChange={(next) => typed.change({ metric: next })}
        isDisabled={budget !== null}
        options={METRICS.map((id) => ({ id, label: words.metrics[id] }))}
      />
      <OptionPicker
        label={words.scope}
        value={scope}
        onChange={(next) => typed.change({ scope: next })}
        isDisabled={budget !== null}
        options={[
          { id: WHOLE, label: words.wholeOrganization },
          ...(projects.data ?? []).map((project) => ({ id: project.projectId, label: project.name })),
        ]}
      />
      <NumberField
        label={words.limit}
        {...control('limit')}
        minValue={0}
        {...(metric === 'llm_cost_usd' ? { lead: '$' } : {})}
      />
      <UnpricedModels
        configurations={unpricedFor([{ metric, projectId }], budgets.data?.unpriced ?? [])}
        isSet={budget !== null}
      />
      {known && limit !== null && known.used >= limit && (
        <Callout tone="warn">{words.spent(budgetAmount(metric, known.used), words.refused[metric])}</Callout>
      )}
      {replaced && <Callout tone="warn">{words.replaces(budgetAmount(metric, replaced.limit))}</Callout>}
    </FormDialog>
  )
}
