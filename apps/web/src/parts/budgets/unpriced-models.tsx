import type { UnpricedConfiguration } from '@troupe/contract/builder'
import { TextLink } from '../../atoms/controls/text-link.tsx'
import { Callout } from '../../atoms/states/panels.tsx'
import { unpricedWords as words } from '../../core/messages/en/parts/unpriced-models.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'

export interface UnpricedModelsProps {
  /** The configurations that the budgets cover; nothing is shown for none. */
  configurations: readonly UnpricedConfiguration[]
  /** The budget is stored: runs are refused already. */
  isSet: boolean
}

/** Models without a price, whose runs a budget in US dollars refuses; each links to its price fields. */
export function UnpricedModels({ configurations, isSet }: UnpricedModelsProps) {
  const { paths } = usePlace()
  if (configurations.length === 0) return null
  return (
    <Callout tone="warn">
      <p>{isSet ? words.refused : words.willBeRefused}</p>
      <ul>
        {configurations.map(({ llmConfigId, name, modelIds, count }) => (
          <li key={llmConfigId}>
            <TextLink href={paths.model(llmConfigId)}>{name}</TextLink>: {words.models(modelIds, count)}
          </li>
        ))}
      </ul>
    </Callout>
  )
}
