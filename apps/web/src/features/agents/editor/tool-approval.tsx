import { isJsonObject, typedKeys, UNARY_OPERATORS } from '@troupe/contract'
import { useState } from 'react'
import { RadioGroup } from '../../../atoms/controls/choices.tsx'
import { Select } from '../../../atoms/controls/select.tsx'
import { TagField } from '../../../atoms/controls/tag-field.tsx'
import { TextField } from '../../../atoms/controls/text-field.tsx'
import { agentToolWords } from '../../../core/messages/en/agents/agent-tools.ts'
import type { ConfigForm } from '../../../parts/config-form/config-form.ts'
import { SettingField } from '../../../parts/config-form/setting-field.tsx'
import { SettingFrame, SettingGrid } from '../../../parts/config-form/setting-frame.tsx'
import {
  type ApprovalRule,
  approvalSentence,
  readApproval,
  scalarOf,
  storedApproval,
} from './approval-rule.ts'

const words = agentToolWords.approval

/** The approval of a tool's calls: never, always, or if an argument meets a condition. */
export function ToolApprovalFields({ form, at }: { form: ConfigForm; at: string }) {
  const path = `${at}.approval`
  const rule = readApproval(form.value(path))
  const set = (next: ApprovalRule) => form.set(path, storedApproval(next))
  const choose = (kind: ApprovalRule['kind']) => {
    if (kind === 'condition') set({ kind, field: '', op: 'gt', value: '' })
    else {
      set({ kind })
      if (kind === 'never') form.set(`${at}.approval_notify`, undefined)
    }
  }
  return (
    <SettingFrame form={form} path={path}>
      <RadioGroup
        label={words.label}
        value={rule.kind}
        onChange={choose}
        isDisabled={form.isReadOnly}
        error={form.errorAt(path)}
        options={[
          { id: 'never', label: words.never, detail: words.neverDetail },
          { id: 'always', label: words.always, detail: words.alwaysDetail },
          {
            id: 'condition',
            label: words.condition,
            detail: rule.kind === 'condition' ? approvalSentence(rule) : words.conditionDetail,
          },
        ]}
      />
      {rule.kind === 'condition' && <ConditionFields form={form} path={path} rule={rule} onChange={set} />}
      {rule.kind !== 'never' && (
        <SettingGrid>
          <SettingField form={form} path={`${at}.approval_timeout_s`} />
          <NotifyField form={form} path={`${at}.approval_notify`} />
        </SettingGrid>
      )}
    </SettingFrame>
  )
}

interface ConditionFieldsProps {
  form: ConfigForm
  path: string
  rule: Extract<ApprovalRule, { kind: 'condition' }>
  onChange(rule: ApprovalRule): void
}

function ConditionFields({ form, path, rule, onChange }: ConditionFieldsProps) {
  const isDisabled = form.isReadOnly
  // "100." and "-0" are prefixes of other numbers: the field keeps the text while it matches the stored value.
  const [typed, setTyped] = useState(rule.value)
  const shown = scalarOf(typed) === scalarOf(rule.value) ? typed : rule.value
  return (
    <SettingGrid>
      <SettingFrame form={form} path={`${path}.field`}>
        <TextField
          label={words.field}
          description={words.fieldHelp}
          value={rule.field}
          onChange={(field) => onChange({ ...rule, field })}
          error={form.errorAt(`${path}.field`)}
          isDisabled={isDisabled}
          isMono
        />
      </SettingFrame>
      <Select
        label={words.op}
        value={rule.op}
        onChange={(op) => onChange({ ...rule, op })}
        error={form.errorAt(`${path}.op`)}
        options={typedKeys(agentToolWords.operators).map((id) => ({
          id,
          label: agentToolWords.operators[id],
        }))}
        isDisabled={isDisabled}
      />
      {!UNARY_OPERATORS.has(rule.op) && (
        <SettingFrame form={form} path={`${path}.value`}>
          <TextField
            label={words.value}
            description={words.valueHelp}
            value={shown}
            onChange={(value) => {
              setTyped(value)
              onChange({ ...rule, value })
            }}
            error={form.errorAt(`${path}.value`)}
            isDisabled={isDisabled}
          />
        </SettingFrame>
      )}
    </SettingGrid>
  )
}

function NotifyField({ form, path }: { form: ConfigForm; path: string }) {
  const stored = form.value(path)
  const emails = isJsonObject(stored) && Array.isArray(stored.emails) ? stored.emails.map(String) : []
  return (
    <SettingFrame form={form} path={path}>
      <TagField
        label={words.emails}
        description={words.emailsHelp}
        placeholder={words.noEmails}
        value={emails}
        onChange={(next) => form.set(path, next.length === 0 ? undefined : { emails: next })}
        error={form.errorWithin(path)}
        isDisabled={form.isReadOnly}
      />
    </SettingFrame>
  )
}
