import type { LlmConfiguration, ProviderForm } from '@troupe/contract/builder'
import { Card, Facts, RowList, Section } from '../../../atoms/layout/page.tsx'
import { Callout } from '../../../atoms/states/panels.tsx'
import { serverNow } from '../../../core/format/server-clock.ts'
import { shortDate } from '../../../core/format/times.ts'
import { modelWords as words } from '../../../core/messages/en/settings/models.ts'
import { priceText } from './price-text.ts'

export interface ModelFactsProps {
  provider: ProviderForm
  configuration: LlmConfiguration
  /** The reason why it can't be changed. */
  refusal: string
}

/** A read-only view of a configuration. */
export function ModelFacts({ provider, configuration, refusal }: ModelFactsProps) {
  const { baseUrl, credentialFields, models, projectName } = configuration
  const labelOf = (name: string) => provider.credentials.find((field) => field.name === name)?.label ?? name
  return (
    <>
      <Callout>{words.readOnly(refusal)}</Callout>
      <Section title={words.connection}>
        <Card>
          <Facts
            facts={[
              { name: words.provider, value: provider.label },
              ...(baseUrl === null
                ? []
                : [{ name: words.baseUrl, value: <code translate="no">{baseUrl}</code> }]),
              ...credentialFields.map(({ name, isSet, hint, setAt }) => ({
                name: labelOf(name),
                value: isSet
                  ? words.stored(hint, setAt === null ? null : shortDate(setAt, serverNow()))
                  : words.notSet,
              })),
              { name: words.project, value: projectName ?? words.wholeOrganization },
            ]}
          />
        </Card>
      </Section>
      <Section title={words.models}>
        <Card flush>
          <RowList
            label={words.models}
            rows={models.map((model) => ({
              id: model.modelId,
              title: <code translate="no">{model.modelId}</code>,
              end: priceText(model) ?? words.noPrice,
            }))}
          />
        </Card>
      </Section>
    </>
  )
}
