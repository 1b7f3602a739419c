import type { ProviderForm } from '@troupe/contract/builder'
import { NumberField } from '../../../atoms/controls/number-field.tsx'
import { Select } from '../../../atoms/controls/select.tsx'
import { TextField } from '../../../atoms/controls/text-field.tsx'
import { Toggle } from '../../../atoms/controls/toggles.tsx'
import { Disclosure } from '../../../atoms/layout/disclosure.tsx'
import { Card, Section } from '../../../atoms/layout/page.tsx'
import { modelWords as words } from '../../../core/messages/en/settings/models.ts'
import { HeaderRows } from '../../../parts/header-rows/header-rows.tsx'
import { SecretField } from './secret-field.tsx'
import type { ModelForm } from './use-model-form.ts'

const DEFAULT = 'default'

/** The address of requests, and their secrets. */
export function ConnectionSection({ form }: { form: ModelForm }) {
  const { provider, stored, draft, credentials, typeCredential, faultOf } = form
  const isNeeded = ({ required, requiredWithoutBaseUrl }: ProviderForm['settings'][number]) =>
    required || requiredWithoutBaseUrl
  const needed = provider.settings.filter(isNeeded)
  const others = provider.settings.filter((field) => !isNeeded(field))
  const isEmpty =
    provider.credentials.length === 0 && provider.baseUrl === 'none' && provider.settings.length === 0
  if (isEmpty) return null
  const hasFault = others.some(({ name }) => faultOf(`settings.${name}`) !== null)
  return (
    <Section title={words.connection}>
      <Card>
        {provider.baseUrl === 'required' && <BaseUrlField form={form} />}
        {provider.credentials.map((field, index) => (
          <SecretField
            key={field.name}
            field={field}
            state={stored?.credentialFields.find(({ name }) => name === field.name) ?? null}
            value={credentials[field.name]}
            onChange={(value) => typeCredential(field.name, value)}
            hasNote={index === 0}
            error={faultOf(`credentials.${field.name}`)}
          />
        ))}
        {needed.map((field) => (
          <SettingOfConnection key={field.name} form={form} field={field} />
        ))}
        {provider.baseUrl === 'optional' && <BaseUrlField form={form} />}
      </Card>
      {others.length > 0 && (
        <Card flush>
          <Disclosure
            title={words.moreSettings}
            isOpenAtFirst={Object.keys(draft.settings).length > 0 || form.headers.length > 0}
            opensOn={hasFault}
          >
            {others.map((field) => (
              <SettingOfConnection key={field.name} form={form} field={field} />
            ))}
          </Disclosure>
        </Card>
      )}
    </Section>
  )
}

function BaseUrlField({ form: { provider, draft, change, faultOf } }: { form: ModelForm }) {
  const isRequired = provider.baseUrl === 'required'
  /** The provider has no default address. */
  const isInstead = provider.settings.some(({ requiredWithoutBaseUrl }) => requiredWithoutBaseUrl)
  return (
    <TextField
      label={words.baseUrl}
      type="url"
      isMono
      isOptional={!isRequired}
      placeholder="https://"
      description={
        isRequired ? words.baseUrlRequired : isInstead ? words.baseUrlInstead : words.baseUrlDetail
      }
      value={draft.baseUrl}
      onChange={(baseUrl) => change({ baseUrl })}
      error={faultOf('baseUrl')}
    />
  )
}

interface SettingProps {
  form: ModelForm
  field: ProviderForm['settings'][number]
}

function SettingOfConnection({ form, field }: SettingProps) {
  const { draft, change, faultOf } = form
  const { name, label, required, requiredWithoutBaseUrl, kind, choices, range } = field
  const value = draft.settings[name]
  const error = faultOf(`settings.${name}`)
  const put = (next: string | boolean | number | null) =>
    change({ settings: { ...draft.settings, [name]: next } })
  switch (kind) {
    case 'headers':
      return (
        <HeaderRows
          label={label}
          words={words}
          detail={words.headerDetail}
          namePlaceholder={words.headerName}
          isSecret
          rows={form.headers}
          empty={{ name: '', value: '', isStored: false }}
          onChange={form.changeHeaders}
          error={error}
        />
      )
    case 'boolean':
      return (
        <Toggle
          isSelected={value === true || (value === undefined && ON_BY_DEFAULT.has(name))}
          onChange={put}
        >
          {label}
        </Toggle>
      )
    case 'integer':
      return (
        <NumberField
          label={label}
          isOptional={!required}
          value={typeof value === 'number' ? value : null}
          minValue={range?.[0] ?? 1}
          maxValue={range?.[1] ?? Number.MAX_SAFE_INTEGER}
          step={1}
          onChange={put}
          error={error}
        />
      )
    case 'choice':
      return (
        <Select
          label={label}
          value={typeof value === 'string' && value !== '' ? value : DEFAULT}
          onChange={(next) => put(next === DEFAULT ? '' : next)}
          options={[
            { id: DEFAULT, label: words.byDefault },
            ...(choices ?? []).map((id) => ({ id, label: id })),
          ]}
          error={error}
        />
      )
    case 'string':
      return (
        <TextField
          label={label}
          isMono
          isOptional={!required && !(requiredWithoutBaseUrl && draft.baseUrl.trim() === '')}
          value={typeof value === 'string' ? value : ''}
          onChange={put}
          error={error}
        />
      )
    default:
      return kind satisfies never
  }
}

/** The switches of a provider that are on by default. */
const ON_BY_DEFAULT: ReadonlySet<string> = new Set(['structuredOutputs', 'streamUsage', 'strictSchemas'])
