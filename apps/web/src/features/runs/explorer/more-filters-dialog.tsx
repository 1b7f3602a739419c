import { useState } from 'react'
import { Select } from '../../../atoms/controls/select.tsx'
import { TextField } from '../../../atoms/controls/text-field.tsx'
import { FormDialog } from '../../../atoms/overlays/form-dialog.tsx'
import { runWords } from '../../../core/messages/en/runs.ts'
import { RUN_TRIALS } from '../../../core/runs/run-filter.ts'
import type { RunsFiltersProps } from './runs-filters-props.ts'

/** Filters that are typed: tag, user, session; and whether trials are shown. */
export function MoreFiltersDialog({ params, onChange, onClose }: RunsFiltersProps & { onClose(): void }) {
  const [values, setValues] = useState(() => {
    const { tag, user, session, trials } = params
    return { tag, user, session, trials }
  })
  const set = (change: Partial<typeof values>) => setValues({ ...values, ...change })
  const submit = () => {
    onChange({
      ...values,
      tag: values.tag.trim(),
      user: values.user.trim(),
      session: values.session.trim(),
    })
    onClose()
  }
  return (
    <FormDialog
      title={runWords.moreFilters}
      onClose={onClose}
      action={runWords.applyFilters}
      onSubmit={submit}
      isPending={false}
      isLocal
      failed=""
      failure={null}
    >
      <TextField
        label={runWords.tag}
        isOptional
        autoFocus
        value={values.tag}
        description={runWords.tagDetail}
        onChange={(tag) => set({ tag })}
      />
      <TextField label={runWords.user} isOptional value={values.user} onChange={(user) => set({ user })} />
      <TextField
        label={runWords.session}
        isOptional
        value={values.session}
        onChange={(session) => set({ session })}
      />
      <Select
        label={runWords.trials}
        value={values.trials}
        onChange={(trials) => set({ trials })}
        options={RUN_TRIALS.map((id) => ({ id, label: runWords.trialChoices[id] }))}
      />
    </FormDialog>
  )
}
