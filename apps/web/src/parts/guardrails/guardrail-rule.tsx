import {
  type GuardrailType,
  type IdText,
  type ProjectId,
  propertyOf,
  REDACTING_GUARDRAILS,
} from '@troupe/contract'
import { Disclosure } from '../../atoms/layout/disclosure.tsx'
import { AskedPanel } from '../../atoms/states/asked-panel.tsx'
import { Callout } from '../../atoms/states/panels.tsx'
import { GUARDRAIL_SPECS } from '../../core/forms/setting-specs.ts'
import { GUARDRAIL_SETTING_WORDS, guardrailWords as words } from '../../core/messages/en/agents/guardrails.ts'
import { modelChainWords } from '../../core/messages/en/model-chain.ts'
import { useLlmConfigurations } from '../../infrastructure/queries/use-whole-list.ts'
import { type ConfigForm, textAt } from '../config-form/config-form.ts'
import { JsonValueField } from '../config-form/json-value-field.tsx'
import { SettingField } from '../config-form/setting-field.tsx'
import { SettingFrame } from '../config-form/setting-frame.tsx'
import { itemForm } from '../config-form/sub-form.ts'
import { llmChoices } from '../model-chain/llm-choices.ts'
import { ModelPicker } from '../model-chain/model-picker.tsx'
import { CredentialPicker } from '../pickers/credential-picker.tsx'

export interface GuardrailRuleProps {
  form: ConfigForm
  /** `guardrails.input.0`. */
  at: string
  projectId: IdText<ProjectId> | null
}

/** Fields of each kind with generic controls; models and credentials have pickers. */
const OWN_FIELDS: Readonly<Record<GuardrailType, readonly string[]>> = {
  pii: ['entities'],
  prompt_injection: ['threshold'],
  moderation: ['categories'],
  regex: ['pattern'],
  max_length: ['max_chars'],
  llm_rule: ['question'],
  webhook: ['url'],
}
/** The server's default for an absent key. */
const STANDARDS = { run: 'blocking', on_error: 'block' }
const ASKS_A_MODEL: ReadonlySet<string> = new Set<GuardrailType>(['moderation', 'llm_rule'])

export function isGuardrailKind(kind: unknown): kind is GuardrailType {
  return typeof kind === 'string' && Object.hasOwn(OWN_FIELDS, kind)
}

/** A new rule with the required fields of its kind. */
export function newRule(kind: GuardrailType): Record<string, unknown> {
  const action = kind === 'pii' ? 'redact' : 'block'
  return kind === 'max_length' ? { type: kind, action, max_chars: 10_000 } : { type: kind, action }
}

/** The effect of a broken rule, in a word. */
export function ruleSummary(rule: unknown): string {
  const action = String(propertyOf(rule, 'action'))
  const choices: Readonly<Record<string, { label: string }>> = GUARDRAIL_SETTING_WORDS.action.choices ?? {}
  return choices[action]?.label ?? action
}

/** The fields of one rule. */
export function GuardrailRule({ form: whole, at, projectId }: GuardrailRuleProps) {
  const kind = propertyOf(whole.value(at), 'type')
  if (!isGuardrailKind(kind)) {
    return (
      <>
        <Callout tone="warn">{words.unknownKind}</Callout>
        <JsonValueField
          id={at}
          label={String(kind)}
          isLabelHidden
          value={whole.value(at)}
          keeper={whole.keeperAt(at)}
          onChange={(value) => whole.set(at, value ?? {})}
          isReadOnly={whole.isReadOnly}
        />
      </>
    )
  }
  const form = itemForm(whole, at, {
    specs: GUARDRAIL_SPECS,
    words: GUARDRAIL_SETTING_WORDS,
    standards: STANDARDS,
  })
  const isBlocking = form.value(`${at}.action`) === 'block' || form.errorAt(`${at}.message`) !== null
  const blocksOnError = (form.value(`${at}.on_error`) ?? STANDARDS.on_error) === 'block'
  const message = <SettingField form={form} path={`${at}.message`} look="line" />
  return (
    <>
      {OWN_FIELDS[kind].map((key) => (
        <SettingField
          key={key}
          form={form}
          path={`${at}.${key}`}
          isMono={key === 'pattern' || key === 'url'}
          {...(key === 'url' ? { look: 'line' as const } : {})}
        />
      ))}
      {kind === 'webhook' && (
        <SettingFrame form={form} path={`${at}.credential_id`}>
          <CredentialPicker
            label={GUARDRAIL_SETTING_WORDS.credential_id.label}
            value={textAt(form, `${at}.credential_id`) || null}
            onChange={(id) => form.set(`${at}.credential_id`, id ?? undefined)}
            projectId={projectId}
            url={textAt(form, `${at}.url`)}
            error={form.errorAt(`${at}.credential_id`)}
            isDisabled={form.isReadOnly}
          />
        </SettingFrame>
      )}
      {ASKS_A_MODEL.has(kind) && <RuleModel form={form} at={at} projectId={projectId} />}
      <SettingField form={actionForm(form, at, kind)} path={`${at}.action`} look="radio" />
      {isBlocking && message}
      <Disclosure look="section" title={words.more}>
        <SettingField form={form} path={`${at}.run`} look="radio" />
        <SettingField form={form} path={`${at}.on_error`} look="radio" />
        {!isBlocking && blocksOnError && message}
      </Disclosure>
    </>
  )
}

/** A rule that judges a text as a whole offers no redaction; a stored one is kept, with its error. */
function actionForm(form: ConfigForm, at: string, kind: GuardrailType): ConfigForm {
  const path = `${at}.action`
  if (REDACTING_GUARDRAILS.has(kind) || form.value(path) === 'redact') return form
  const spec = form.specOf(path)
  const choices = spec?.choices?.filter((choice) => choice !== 'redact') ?? []
  return { ...form, specOf: (other) => (other === path && spec ? { ...spec, choices } : form.specOf(other)) }
}

function RuleModel({ form, at, projectId }: GuardrailRuleProps) {
  const asked = useLlmConfigurations()
  return (
    <AskedPanel asked={asked} failed={modelChainWords.configurationsFailed} lines={1}>
      {(data) => <ModelPicker form={form} at={at} choices={llmChoices(data, projectId)} />}
    </AskedPanel>
  )
}
