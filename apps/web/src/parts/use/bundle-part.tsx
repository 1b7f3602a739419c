import { useState } from 'react'
import { CodeBlock } from '../../atoms/code/code-field.tsx'
import { Toggle } from '../../atoms/controls/toggles.tsx'
import { AskedPanel } from '../../atoms/states/asked-panel.tsx'
import type { ConfigKind } from '../../core/forms/check-content.ts'
import { callingWords as words } from '../../core/messages/en/parts/calling.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'

/** An agent or a team as YAML, alone or with what it uses. */
export function BundlePart({ kind, id }: { kind: ConfigKind; id: string }) {
  const [dependencies, setDependencies] = useState(false)
  const bundle = useOperation('exportOrganizationBundle', {
    query: { include: `${kind}:${id}`, dependencies },
  })
  return (
    <>
      <Toggle isSelected={dependencies} onChange={setDependencies} description={words.dependenciesDetail}>
        {words.dependencies}
      </Toggle>
      <AskedPanel asked={bundle} failed={words.bundleFailed}>
        {(text) => <CodeBlock label={words.bundleLabel} text={text} />}
      </AskedPanel>
    </>
  )
}
