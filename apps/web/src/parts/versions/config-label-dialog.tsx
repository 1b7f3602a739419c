import type { Version } from '@troupe/contract/builder'
import type { ConfigKind } from '../../core/forms/check-content.ts'
import { LabelDialog } from './label-dialog.tsx'
import { useLabelVersion } from './version-source.ts'

export interface ConfigLabelDialogProps {
  kind: ConfigKind
  id: string
  version: Version
  onClose(): void
}

/** The label and the note of a version of an agent or a team. */
export function ConfigLabelDialog({ kind, id, version, onClose }: ConfigLabelDialogProps) {
  const label = useLabelVersion(kind, id)
  const run = async (words: Parameters<typeof label.run>[1]) =>
    (await label.run(version.versionId, words)) !== null
  return (
    <LabelDialog
      version={version}
      longest={{ label: 100, note: 2_000 }}
      save={{ ...label, run }}
      onClose={onClose}
    />
  )
}
