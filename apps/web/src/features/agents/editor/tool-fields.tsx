import { type IdText, type ProjectId, propertyOf, type ToolType } from '@troupe/contract'
import { useRef } from 'react'
import { Segments } from '../../../atoms/controls/choices.tsx'
import { Disclosure } from '../../../atoms/layout/disclosure.tsx'
import { Callout } from '../../../atoms/states/panels.tsx'
import { TOOL_SPECS } from '../../../core/forms/setting-specs.ts'
import type { SettingWords } from '../../../core/forms/setting-words.ts'
import { toolSettingLabel } from '../../../core/labels/setting-labels.ts'
import { TOOL_SETTING_WORDS, agentToolWords as words } from '../../../core/messages/en/agents/agent-tools.ts'
import { toolKey } from '../../../core/tools/tool-key.ts'
import { type ConfigForm, textAt } from '../../../parts/config-form/config-form.ts'
import { JsonValueField } from '../../../parts/config-form/json-value-field.tsx'
import { SettingField } from '../../../parts/config-form/setting-field.tsx'
import { SettingFrame, SettingGrid } from '../../../parts/config-form/setting-frame.tsx'
import { itemForm } from '../../../parts/config-form/sub-form.ts'
import { CredentialPicker } from '../../../parts/pickers/credential-picker.tsx'
import { McpServerPicker } from '../../../parts/pickers/mcp-server-picker.tsx'
import { ToolTest } from '../../../parts/tool-test/tool-test.tsx'
import { OperationNames } from './operation-names.tsx'
import { AgentReference, WorkflowReference } from './reference-picker.tsx'
import { ToolApprovalFields } from './tool-approval.tsx'
import { isToolKind, toolStandards } from './tool-kinds.ts'

export interface ToolFieldsProps {
  form: ConfigForm
  /** `tools.0`. */
  at: string
  /** The project of the agent; null: it belongs to the organization. */
  projectId: IdText<ProjectId> | null
}

/** Kinds without such a limit have no field. */
const LIMITS = ['timeout_ms', 'response_max_kb', 'memory_mb'] as const

/** The fields of one tool of any kind. A kind that this version does not know is kept, as JSON. */
export function ToolFields({ form: whole, at, projectId }: ToolFieldsProps) {
  const tool = whole.value(at)
  const kind = propertyOf(tool, 'type')
  if (!isToolKind(kind)) {
    return (
      <>
        <Callout tone="warn">{words.unknownKind}</Callout>
        <ToolJson form={whole} at={at} />
      </>
    )
  }
  const form = itemForm(whole, at, {
    specs: TOOL_SPECS,
    words: TOOL_SETTING_WORDS,
    standards: toolStandards(tool),
  })
  return (
    <>
      {kind !== 'builtin' && kind !== 'mcp' && (
        <>
          <SettingField form={form} path={`${at}.name`} isMono />
          <SettingField form={form} path={`${at}.description`} look="area" />
        </>
      )}
      <KindFields form={form} at={at} projectId={projectId} kind={kind} />
      <ToolApprovalFields form={form} at={at} />
      <Disclosure look="section" title={words.more} summary={words.moreSummary}>
        <SettingGrid>
          {(kind === 'builtin' || kind === 'mcp') && <SettingField form={form} path={`${at}.name`} isMono />}
          {LIMITS.map((key) => (
            <SettingField key={key} form={form} path={`${at}.${key}`} />
          ))}
        </SettingGrid>
        <SettingField form={form} path={`${at}.idempotent`} />
        <SettingField form={form} path={`${at}.context_keys`} />
        <Disclosure look="section" title={words.asJson}>
          <ToolJson form={whole} at={at} />
        </Disclosure>
      </Disclosure>
      <Disclosure look="section" title={words.test}>
        <ToolTest
          labelOf={toolSettingLabel}
          key={toolKey(tool)}
          tool={typeof tool === 'object' && tool !== null ? { ...tool } : {}}
        />
      </Disclosure>
    </>
  )
}

function ToolJson({ form, at }: Pick<ToolFieldsProps, 'form' | 'at'>) {
  return (
    <JsonValueField
      id={at}
      label={words.asJson}
      isLabelHidden
      value={form.value(at)}
      keeper={form.keeperAt(at)}
      onChange={(value) => form.set(at, value ?? {})}
      isReadOnly={form.isReadOnly}
    />
  )
}

function KindFields({ form, at, projectId, kind }: ToolFieldsProps & { kind: ToolType }) {
  const field = (key: string, more: { isMono?: boolean; look?: 'radio' | 'area' | 'line' } = {}) => (
    <SettingField key={key} form={form} path={`${at}.${key}`} {...more} />
  )
  const credential = (url: string) => (
    <ToolCredential form={form} path={`${at}.auth_credential_id`} projectId={projectId} url={url} />
  )
  switch (kind) {
    case 'http':
      return (
        <>
          {field('method')}
          {field('url', { isMono: true, look: 'line' })}
          {field('input_schema')}
          {credential(textAt(form, `${at}.url`))}
          <Disclosure look="section" title={words.request} summary={requestSummary(form, at)}>
            {field('headers')}
            {field('query')}
            {field('body')}
          </Disclosure>
        </>
      )
    case 'openapi':
      return (
        <>
          {field('spec_url', { isMono: true, look: 'line' })}
          {field('document')}
          {field('operations')}
          <OperationNames form={form} at={at} />
          {field('prefix')}
          {credential(textAt(form, `${at}.spec_url`))}
        </>
      )
    case 'mcp':
      return <McpFields form={form} at={at} projectId={projectId} />
    case 'builtin':
      return (
        <>
          <SettingField form={builtinForm(form, at)} path={`${at}.builtin`} look="radio" />
          {field('description', { look: 'area' })}
          {form.value(`${at}.builtin`) === 'web_search' && credential('')}
        </>
      )
    case 'workflow':
      return <WorkflowReference form={form} path={`${at}.workflow_id`} />
    case 'agent':
      return <AgentReference form={form} path={`${at}.agent_id`} />
    default:
      return <>{ownSettings(kind).map((key) => field(key, { isMono: key === 'source' }))}</>
  }
}

/** The settings of a kind that not every kind has, in the order of its schema. A credential and limits have controls of their own. */
function ownSettings(kind: string): string[] {
  const kinds = Object.values(TOOL_SPECS)
  const elsewhere: readonly string[] = [...LIMITS, 'auth_credential_id']
  return Object.keys(TOOL_SPECS[kind] ?? {}).filter(
    (key) => !elsewhere.includes(key) && !kinds.every((specs) => key in specs),
  )
}

/** Only the web search sends a credential. */
function builtinForm(form: ConfigForm, at: string): ConfigForm {
  return {
    ...form,
    set: (path, value) => {
      form.set(path, value)
      if (path === `${at}.builtin` && value !== 'web_search') form.set(`${at}.auth_credential_id`, undefined)
    },
  }
}

/** The rarely used parts of a request that are set. */
function requestSummary(form: ConfigForm, at: string): string {
  const keys = ['headers', 'query', 'body'] as const
  const set = keys.filter((key) => form.value(`${at}.${key}`) !== undefined)
  return set.length === 0 ? words.requestNone : set.map((key) => TOOL_SETTING_WORDS[key].label).join(', ')
}

interface ToolCredentialProps {
  form: ConfigForm
  path: string
  projectId: IdText<ProjectId> | null
  url: string
}

function ToolCredential({ form, path, projectId, url }: ToolCredentialProps) {
  const { label, help } = TOOL_SETTING_WORDS.auth_credential_id
  return (
    <SettingFrame form={form} path={path}>
      <CredentialPicker
        label={label}
        description={help}
        value={textAt(form, path) || null}
        onChange={(id) => form.set(path, id ?? undefined)}
        projectId={projectId}
        url={url}
        error={form.errorAt(path)}
        isDisabled={form.isReadOnly}
      />
    </SettingFrame>
  )
}

/** The settings of each choice; `allow` names tools of one server. */
const OWN_SERVER = ['server_id', 'allow'] as const
const OTHER_SERVER = ['url', 'headers', 'allow'] as const

const ADDRESS_WORDS: Readonly<Record<string, SettingWords | undefined>> = words.ofAddress

/** The settings of a server addressed by URL: an empty address keeps the choice. */
function addressForm(form: ConfigForm, at: string): ConfigForm {
  return {
    ...form,
    wordsOf: (path) => ADDRESS_WORDS[path.slice(at.length + 1)] ?? form.wordsOf(path),
    set: (path, value) => form.set(path, path === `${at}.url` ? (value ?? '') : value),
  }
}

/** A server of the organization with its tools, or any server by its URL. */
function McpFields({ form, at, projectId }: ToolFieldsProps) {
  const path = `${at}.server_id`
  const isOther = typeof form.value(`${at}.url`) === 'string'
  const allow = form.value(`${at}.allow`)
  // Switching back restores the settings of the other choice.
  const withheld = useRef<Readonly<Record<string, unknown>>>({ url: 'https://' })
  const choose = (from: 'server' | 'url') => {
    if ((from === 'url') === isOther) return
    const [taken, given] = isOther ? [OTHER_SERVER, OWN_SERVER] : [OWN_SERVER, OTHER_SERVER]
    const before = withheld.current
    withheld.current = Object.fromEntries(taken.map((key) => [key, form.value(`${at}.${key}`)]))
    for (const key of taken) form.set(`${at}.${key}`, undefined)
    for (const key of given) form.set(`${at}.${key}`, before[key])
  }
  return (
    <>
      <Segments
        label={words.serverFrom}
        value={isOther ? 'url' : 'server'}
        onChange={(from) => !form.isReadOnly && choose(from)}
        options={[
          { id: 'server', label: words.chooseServer },
          { id: 'url', label: words.otherServer },
        ]}
      />
      {isOther ? (
        <>
          <SettingField form={addressForm(form, at)} path={`${at}.url`} isMono look="line" />
          <SettingField form={addressForm(form, at)} path={`${at}.headers`} />
          <SettingField form={form} path={`${at}.allow`} />
        </>
      ) : (
        <SettingFrame form={form} path={path}>
          <McpServerPicker
            value={{
              server_id: textAt(form, path) || null,
              allow: Array.isArray(allow) ? allow.map(String) : null,
            }}
            onChange={(next) => {
              form.set(path, next.server_id ?? undefined)
              form.set(`${at}.allow`, next.allow === null ? undefined : [...next.allow])
            }}
            projectId={projectId}
            error={form.errorAt(path)}
            isDisabled={form.isReadOnly}
          />
        </SettingFrame>
      )}
      <SettingField form={form} path={`${at}.deny`} />
      <SettingGrid>
        <SettingField form={form} path={`${at}.prefix`} look="line" />
        <SettingField form={form} path={`${at}.on_unavailable`} />
      </SettingGrid>
    </>
  )
}
