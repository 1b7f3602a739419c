import { propertyOf } from '@troupe/contract'
import { Facts } from '../../atoms/layout/page.tsx'
import { modelChainWords as words } from '../../core/messages/en/model-chain.ts'
import { type ConfigForm, listAt } from '../config-form/config-form.ts'
import { type ChainStop, failoverPath, REHEARSED_FAILURES, timesAsked } from './failover-path.ts'
import { chosenConfiguration, type LlmChoices, modelName } from './llm-choices.ts'

/** What happens when models fail, in words: who is asked, how often, and who takes over. */
export function FailoverList({ form, at, choices }: { form: ConfigForm; at: string; choices: LlmChoices }) {
  const attempts = Number(form.value(`${at}.retry.attempts_per_model`) ?? 1)
  const chain = [form.value(`${at}.primary`), ...listAt(form, `${at}.fallbacks`)].map((link, index) =>
    stopOf(link, choices, index === 0 ? [] : null),
  )
  return (
    <Facts
      facts={REHEARSED_FAILURES.map((failure) => ({
        name: words.rehearsed[failure],
        value:
          failure === 'refused'
            ? words.neverMasked
            : words.path(
                failoverPath(chain, failure).map(({ name }) => name),
                timesAsked(failure, attempts),
              ),
      }))}
    />
  )
}

const ALL = ['error', 'rate_limit', 'timeout', 'context_overflow']

function stopOf(link: unknown, choices: LlmChoices, on: readonly string[] | null): ChainStop {
  const id = propertyOf(link, 'llm_config_id')
  const modelId = propertyOf(link, 'model_id')
  const chosen = typeof modelId === 'string' ? modelId : null
  const configuration = chosenConfiguration(choices, typeof id === 'string' ? id : null)
  const models = configuration?.models ?? []
  const model = chosen === null ? models[0] : models.find((one) => one.modelId === chosen)
  const stored = propertyOf(link, 'on')
  return {
    name: modelName(configuration, chosen),
    on: on ?? (Array.isArray(stored) ? stored.map(String) : ALL),
    contextLength: model?.contextLength ?? null,
  }
}
