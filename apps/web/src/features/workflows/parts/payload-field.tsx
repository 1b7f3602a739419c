import { isJsonObject, type JsonObject, REDACTED } from '@troupe/contract'
import type { GraphNode } from '@troupe/graph'
import type { PayloadField } from '@troupe/nodes/sample-payload'
import { useEffect, useMemo, useRef, useState } from 'react'
import { CodeField } from '../../../atoms/code/code-field.tsx'
import { Segments } from '../../../atoms/controls/choices.tsx'
import { Section } from '../../../atoms/layout/page.tsx'
import { problemSentence } from '../../../core/forms/problem-sentence.ts'
import { longNumberIn } from '../../../core/forms/typed-json.ts'
import { payloadWords as words } from '../../../core/messages/en/workflows/payload.ts'
import { asJson } from '../../../core/workflows/node-settings.ts'
import {
  type PayloadForm,
  passwordKey,
  payloadFaults,
  payloadForm,
  withPasswords,
} from '../../../core/workflows/payload-form.ts'
import { JsonValueField } from '../../../parts/config-form/json-value-field.tsx'
import styles from './payload-field.module.css'
import { PayloadValueField } from './payload-value-field.tsx'
import { readPayload } from './trigger-payload.ts'

const OTHERS = ' others'
const DECLARED = ' declared'
const NO_OTHERS: JsonObject = {}
const NO_FAULTS: ReadonlyMap<string, string> = new Map()

type View = 'fields' | 'json'

/** The payload in a form of a test or a run. */
export interface PayloadInput {
  trigger: GraphNode | undefined
  /** With `REDACTED` in place of entered passwords: the text is stored on the device. */
  text: string
  /** With these passwords. null: the text is not valid JSON. */
  payload: { value: unknown } | null
  /** The text as fields; null: it is shown as JSON. */
  form: PayloadForm | null
  /** Whether the payload could be shown as fields. */
  hasFields: boolean
  /** By the name of the field. */
  faults: ReadonlyMap<string, string>
  /** Whether the JSON of a field is invalid, so that the payload lacks what was typed last. */
  isUnread: boolean
  /** Why the payload cannot be sent, as a sentence; null: it can be. */
  problem: string | null
  setView(view: View): void
  /** The text entered in a password field; undefined: none. */
  passwordOf(name: string): string | undefined
  keepPassword(name: string, password: string | undefined): void
  noteUnread(name: string, text: string | null): void
}

/**
 * Reads the payload in `text`, which both views edit.
 *
 * @param trigger it declares the fields
 * @param triggers all that can be chosen
 */
export function usePayloadInput(
  trigger: GraphNode | undefined,
  text: string,
  triggers: readonly GraphNode[],
): PayloadInput {
  const [view, setView] = useState<View>('fields')
  const [unread, setUnread] = useState<ReadonlySet<string>>(new Set())
  const [passwords, setPasswords] = useState<ReadonlyMap<string, string>>(new Map())
  const stored = useMemo(() => readPayload(text), [text])
  const payload = useMemo(
    () => stored && { value: withPasswords(trigger, stored.value, triggers, passwords) },
    [trigger, stored, triggers, passwords],
  )
  const possible = useMemo(() => stored && payloadForm(trigger, stored.value), [trigger, stored])
  const form = view === 'fields' ? possible : null
  const faults = useMemo(() => {
    const filled = form && payload && payloadForm(trigger, payload.value)
    return !filled || trigger === undefined ? NO_FAULTS : payloadFaults(trigger, filled)
  }, [form, payload, trigger])
  const faulty = (form?.fields ?? []).filter(({ name }) => faults.has(name) || unread.has(name))
  const labels = faulty.map(({ label }) => label)
  if (form !== null && (unread.has(OTHERS) || unread.has(DECLARED))) labels.push(words.other)
  return {
    ...{ trigger, text, payload, form, faults, setView },
    hasFields: possible !== null,
    isUnread: form !== null && unread.size > 0,
    problem:
      payload === null
        ? (longNumberIn(text) ?? words.notJson)
        : labels.length === 0
          ? null
          : words.faulty(labels),
    passwordOf: (name) => (trigger === undefined ? undefined : passwords.get(passwordKey(trigger, name))),
    keepPassword: (name, password) => {
      if (trigger === undefined) return
      const key = passwordKey(trigger, name)
      setPasswords((before) => {
        const others = [...before].filter(([one]) => one !== key)
        return new Map(password === undefined ? others : [...others, [key, password]])
      })
    },
    noteUnread: (name, typed) =>
      setUnread((before) => {
        const others = [...before].filter((one) => one !== name)
        return new Set(typed === null ? others : [...others, name])
      }),
  }
}

export interface PayloadFieldsProps {
  input: PayloadInput
  maxLines: number
  onChange(text: string): void
}

/** The payload of a test or a run: the declared fields of the trigger, or JSON. Both views edit the same value. */
export function PayloadInputField({ input, maxLines, onChange }: PayloadFieldsProps) {
  const { trigger, text, payload, form, hasFields, isUnread } = input
  const declares = trigger !== undefined && payloadForm(trigger, {}) !== null
  return (
    <Section
      title={words.label}
      actions={
        hasFields && (
          <Segments
            label={words.view}
            value={form === null ? 'json' : 'fields'}
            onChange={input.setView}
            options={[
              { id: 'fields', label: words.views.fields },
              // Invalid JSON of one field has no place in that of the payload.
              { id: 'json', label: words.views.json, isDisabled: isUnread },
            ]}
          />
        )
      }
    >
      {form === null || trigger === undefined ? (
        <CodeField
          label={words.label}
          isLabelHidden
          description={declares && !hasFields && payload !== null ? words.onlyJson : words.detail}
          language="json"
          value={text}
          onChange={(next) => {
            // Otherwise the fields would replace the text under the caret as soon as it is valid.
            input.setView('json')
            onChange(next)
          }}
          maxLines={maxLines}
          error={payload === null ? input.problem : null}
        />
      ) : (
        <FieldsOfPayload key={trigger.id} {...{ input, trigger, form, onChange }} />
      )}
    </Section>
  )
}

interface FieldsOfPayloadProps extends Pick<PayloadFieldsProps, 'input' | 'onChange'> {
  trigger: GraphNode
  form: PayloadForm
}

function FieldsOfPayload({ input, trigger, form, onChange }: FieldsOfPayloadProps) {
  const { fields, values, others } = form
  const hasOthers = trigger.type === 'http-request' && Object.keys(others).length > 0
  // An emptied field stays: `{}` may be the beginning of other values.
  const [hadOthers, setHadOthers] = useState(hasOthers)
  if (hasOthers && !hadOthers) setHadOthers(true)
  /** Values that were typed among the others, and have a field of their own. */
  const [declared, setDeclared] = useState(NO_OTHERS)
  const declaredNames = Object.keys(declared)
  const { noteUnread } = input
  const typedDeclared = declaredNames.length === 0 ? null : declaredNames.join(', ')
  const note = useRef(noteUnread)
  note.current = noteUnread
  useEffect(() => {
    if (typedDeclared === null) return
    note.current(DECLARED, typedDeclared)
    return () => note.current(DECLARED, null)
  }, [typedDeclared])
  const shownValue = (name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    return value === REDACTED && isPassword(name) ? input.passwordOf(name) : value
  }
  const isPassword = (name: string) =>
    fields.some((field) => field.name === name && field.type === 'password')
  const change = (field: PayloadField, value: unknown) => {
    const { name } = field
    const isTyped = isPassword(name) && typeof value === 'string'
    if (isPassword(name)) input.keepPassword(name, isTyped ? value : undefined)
    onChange(asJson(form.withValue(field, isTyped ? REDACTED : value)))
  }
  return (
    <fieldset className={styles.fields} data-rows="">
      <legend className="visually-hidden">{words.label}</legend>
      {fields.map((field) => {
        const { name, label, type } = field
        const typeTitle = words.types[type] ?? type
        return (
          <PayloadValueField
            key={`${trigger.id} ${name}`}
            id={`payload ${trigger.id} ${name}`}
            field={field}
            label={label}
            description={label === name ? typeTitle : words.fieldDetail(name, typeTitle)}
            error={problemSentence(input.faults.get(name) ?? null)}
            value={shownValue(name)}
            onChange={(value) => change(field, value)}
            onUnread={(typed) => input.noteUnread(name, typed)}
          />
        )
      })}
      {hadOthers && (
        <JsonValueField
          id={`payload ${trigger.id}${OTHERS}`}
          label={words.other}
          description={words.otherDetail}
          error={declaredNames.length === 0 ? null : words.haveFields(declaredNames)}
          isObject
          value={{ ...others, ...declared }}
          maxLines={10}
          onChange={(next) => {
            const typed = Object.entries(isJsonObject(next) ? next : {})
            const hasField = (name: string) => fields.some((field) => field.name === name)
            const ofFields = Object.entries(values).filter(([name]) => hasField(name))
            setDeclared(Object.fromEntries(typed.filter(([name]) => hasField(name))))
            const free = typed.filter(([name]) => !hasField(name))
            onChange(asJson(form.with(Object.fromEntries([...free, ...ofFields]))))
          }}
          onUnread={(typed) => input.noteUnread(OTHERS, typed)}
        />
      )}
    </fieldset>
  )
}
