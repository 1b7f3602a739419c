import { FileDown } from 'lucide-react'
import { useState } from 'react'
import { RefusableButton } from '../../atoms/overlays/refusable-button.tsx'
import { bundleWords } from '../../core/messages/en/settings/bundle.ts'
import { useRefusal } from '../../infrastructure/queries/use-refusal.ts'
import { ExportBundleDialog } from './export-bundle-dialog.tsx'

export interface ExportBundleActionProps {
  /** What is exported: `agent:<id>`, `team:<id>`, `workflow:<id>`, `llm_configuration:<id>`, `skill:<slug>`, … */
  include: readonly string[]
  /** Names the file: the slug or the name of what is exported. */
  name?: string
  size?: 'medium' | 'small'
}

/** The button *Export as bundle* with its dialog. For a menu there is `ExportBundleDialog`. */
export function ExportBundleAction({ include, name, size = 'medium' }: ExportBundleActionProps) {
  const refusal = useRefusal('manage')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <RefusableButton
        size={size}
        icon={<FileDown size={14} />}
        refusal={refusal}
        onPress={() => setOpen(true)}
      >
        {bundleWords.exportAction}
      </RefusableButton>
      {isOpen && (
        <ExportBundleDialog
          include={include}
          {...(name === undefined ? {} : { name })}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
