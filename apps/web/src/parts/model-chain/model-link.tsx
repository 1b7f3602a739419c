import { type IdText, type LlmConfigId, type ModelParameterName, propertyOf } from '@troupe/contract'
import { useRef } from 'react'
import { Disclosure } from '../../atoms/layout/disclosure.tsx'
import { ActionMenu } from '../../atoms/overlays/menu.tsx'
import { Badge } from '../../atoms/states/badge.tsx'
import { Callout } from '../../atoms/states/panels.tsx'
import { valueText } from '../../core/labels/value-text.ts'
import { MODEL_CHAIN_WORDS, modelChainWords as words } from '../../core/messages/en/model-chain.ts'
import { MODEL_LINK_WORDS } from '../../core/messages/en/model-link.ts'
import type { ConfigForm } from '../config-form/config-form.ts'
import { settingElementId } from '../config-form/setting-element-id.ts'
import { SettingField } from '../config-form/setting-field.tsx'
import { SettingGrid } from '../config-form/setting-frame.tsx'
import type { ItemMoves } from '../config-form/use-setting-items.ts'
import { chosenConfiguration, type LlmChoices } from './llm-choices.ts'
import styles from './model-chain.module.css'
import { ModelPicker } from './model-picker.tsx'

const PARAMETERS = [
  'temperature',
  'top_p',
  'max_output_tokens',
  'seed',
  'reasoning_effort',
  'stop_sequences',
] as const satisfies readonly ModelParameterName[]

export interface ModelLinkProps {
  form: ConfigForm
  /** `model.primary`, `model.fallbacks.0`. */
  at: string
  title: string
  choices: LlmChoices
  /** Whether the rehearsed failure reaches it; null: none is rehearsed. */
  isAsked: boolean | null
  /** The same model precedes it. */
  isRepeated?: boolean
  /** Absent for the primary model, which cannot be moved. */
  moves?: ItemMoves
}

/** One model of a chain as a card. */
export function ModelLink({ form, at, title, choices, isAsked, isRepeated = false, moves }: ModelLinkProps) {
  const configurationId = form.value(`${at}.llm_config_id`)
  const chosen = chosenConfiguration(choices, typeof configurationId === 'string' ? configurationId : null)
  const unused = chosen?.unusedParameters ?? []
  const isSet = (name: ModelParameterName) => (form.value(`${at}.${name}`) ?? null) !== null
  const shown = useShownParameters(
    chosen?.llmConfigId ?? null,
    (name) => !unused.includes(name) || isSet(name),
  )
  return (
    <li
      id={settingElementId(at)}
      className={styles.link}
      aria-label={title}
      data-asked={isAsked ?? undefined}
    >
      <div className={styles.head}>
        <h3>
          {title}{' '}
          {isAsked !== null && (
            <Badge tone={isAsked ? 'info' : 'neutral'}>{isAsked ? words.asked : words.notAsked}</Badge>
          )}
        </h3>
        {moves && !form.isReadOnly && (
          <div data-item-menu>
            <ActionMenu
              label={words.actions(title)}
              entries={[
                { id: 'up', label: words.up, isDisabled: !moves.up, onAction: () => moves.up?.() },
                {
                  id: 'down',
                  label: words.down,
                  isDisabled: !moves.down,
                  onAction: () => moves.down?.(),
                },
                { id: 'remove', label: words.remove, isDanger: true, onAction: moves.remove },
              ]}
            />
          </div>
        )}
      </div>
      <ModelPicker form={form} at={at} choices={choices} />
      {isRepeated && <Callout tone="warn">{words.repeated}</Callout>}
      {moves && (
        <Disclosure
          look="section"
          title={MODEL_CHAIN_WORDS['fallbacks.*.on'].label}
          summary={failuresText(form.value(`${at}.on`))}
        >
          <SettingField form={form} path={`${at}.on`} />
        </Disclosure>
      )}
      <Disclosure look="section" title={words.parameters} summary={parametersText(form.value(at))}>
        <SettingGrid>
          {shown.map((name) => (
            <SettingField
              key={name}
              form={form}
              path={`${at}.${name}`}
              {...(name === 'stop_sequences' ? { look: 'verbatim' } : {})}
            />
          ))}
        </SettingGrid>
        {unused.length > 0 && (
          <p className={styles.note}>
            {words.notTaken(unused.map((name) => MODEL_LINK_WORDS[name].label))}
            {unused.some(isSet) && ` ${words.notSent}`}
          </p>
        )}
        <SettingField form={form} path={`${at}.provider_options`} />
      </Disclosure>
    </li>
  )
}

/**
 * Set values stay visible, so that they can be removed: also while the configuration is unchanged after clearing one, or its field
 * would disappear under the caret.
 */
function useShownParameters(
  configurationId: IdText<LlmConfigId> | null,
  isNeeded: (name: ModelParameterName) => boolean,
): readonly ModelParameterName[] {
  const last = useRef<{ configurationId: IdText<LlmConfigId> | null; names: readonly ModelParameterName[] }>(
    null,
  )
  const kept = last.current?.configurationId === configurationId ? last.current.names : []
  const names = PARAMETERS.filter((name) => isNeeded(name) || kept.includes(name))
  last.current = { configurationId, names }
  return names
}

/** The failures on which a model takes over, in words. */
export function failuresText(on: unknown): string {
  const { choices } = MODEL_CHAIN_WORDS['fallbacks.*.on']
  const all = Object.entries(choices)
  const chosen = all.filter(([name]) => Array.isArray(on) && on.includes(name))
  if (chosen.length === all.length || on === undefined) return words.onAny
  return words.on(chosen.map(([, { label }]) => label))
}

function parametersText(link: unknown): string {
  const set = PARAMETERS.flatMap((name) => {
    const value = propertyOf(link, name)
    const isSet = value !== null && value !== undefined
    return isSet ? [`${MODEL_LINK_WORDS[name].label} ${valueText(value)}`] : []
  })
  const options = Object.keys(propertyOf(link, 'provider_options') ?? {}).length
  if (options > 0) set.push(MODEL_LINK_WORDS.provider_options.label)
  return set.length === 0 ? words.standardParameters : set.join(' · ')
}
