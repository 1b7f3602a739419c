import { useState } from 'react'
import { Toggle } from '../../atoms/controls/toggles.tsx'
import { Dialog } from '../../atoms/overlays/dialog.tsx'
import { bundleWords } from '../../core/messages/en/settings/bundle.ts'
import { BundlePreviewPanel } from './bundle-preview-panel.tsx'

export interface ExportBundleDialogProps {
  /** `agent:<id>` and so on. */
  include: readonly string[]
  /** The file name. */
  name?: string
  onClose(): void
}

/** Exports resources as a bundle without secrets: read, copied or downloaded. */
export function ExportBundleDialog({ include, name, onClose }: ExportBundleDialogProps) {
  const [dependencies, setDependencies] = useState(true)
  return (
    <Dialog isOpen onClose={onClose} title={bundleWords.exportAction} width="wide">
      <p>{bundleWords.exportDetail}</p>
      <Toggle
        isSelected={dependencies}
        onChange={setDependencies}
        description={bundleWords.dependenciesDetail}
      >
        {bundleWords.dependencies}
      </Toggle>
      <BundlePreviewPanel include={include} dependencies={dependencies} name={name ?? null} />
    </Dialog>
  )
}
