import { useState } from 'react'
import { Toggle } from '../../atoms/controls/toggles.tsx'
import type { ConfigKind } from '../../core/forms/check-content.ts'
import { bundleWords } from '../../core/messages/en/settings/bundle.ts'
import { fileName } from '../../infrastructure/client/download-text.ts'
import { BundlePreviewPanel } from '../export-bundle/bundle-preview-panel.tsx'

/** An agent or a team as YAML, alone or with its dependencies. */
export function BundlePart({ kind, id, name }: { kind: ConfigKind; id: string; name: string }) {
  const [dependencies, setDependencies] = useState(false)
  return (
    <>
      <Toggle
        isSelected={dependencies}
        onChange={setDependencies}
        description={bundleWords.dependenciesDetail}
      >
        {bundleWords.dependencies}
      </Toggle>
      <BundlePreviewPanel include={[`${kind}:${id}`]} dependencies={dependencies} name={fileName(name)} />
    </>
  )
}
