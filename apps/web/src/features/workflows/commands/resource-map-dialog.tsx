import { resourceKey, type UsedResource } from '@troupe/editor/clipboard/fragment'
import { useState } from 'react'
import { FormDialog } from '../../../atoms/overlays/form-dialog.tsx'
import { clipboardWords as words } from '../../../core/messages/en/workflows/canvas.ts'
import { ResourceField } from '../fields/resource-field.tsx'

export interface ResourceMapDialogProps {
  /** Agents and teams that do not exist here. */
  missing: readonly UsedResource[]
  onClose(): void
  /** Called with the resources that have a selected replacement. */
  onMapped(chosen: readonly { kind: string; id: string; replacement: string }[]): void
}

/** Selects the agents and teams that replace those of copied steps. */
export function ResourceMapDialog({ missing, onClose, onMapped }: ResourceMapDialogProps) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, string>>(new Map())
  return (
    <FormDialog
      title={words.mapTitle}
      onClose={onClose}
      action={words.mapAction}
      isLocal
      isPending={false}
      failed={words.mapFailed}
      failure={null}
      onSubmit={() =>
        onMapped(
          missing.flatMap(({ kind, id }) => {
            const replacement = chosen.get(resourceKey({ kind, id }))
            return replacement ? { kind, id, replacement } : []
          }),
        )
      }
    >
      <p>{words.mapDetail}</p>
      {missing.map(({ kind, id, steps }) => {
        const resource = kind === 'team' ? 'team' : 'agent'
        const key = resourceKey({ kind, id })
        return (
          <ResourceField
            key={key}
            resource={resource}
            label={words.usedBy(resource, steps)}
            description={null}
            error={null}
            value={chosen.get(key) ?? ''}
            onChange={(value) => setChosen(new Map([...chosen, [key, value]]))}
          />
        )
      })}
    </FormDialog>
  )
}
