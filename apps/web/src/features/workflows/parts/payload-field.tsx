import { isJsonObject } from '@troupe/contract'
import type { GraphNode } from '@troupe/graph'
import { useMemo, useState } from 'react'
import { CodeField } from '../../../atoms/code/code-field.tsx'
import { Segments } from '../../../atoms/controls/choices.tsx'
import { problemSentence } from '../../../core/forms/problem-sentence.ts'
import { longNumberIn } from '../../../core/forms/typed-json.ts'
import { payloadWords as words } from '../../../core/messages/en/workflows/payload.ts'
import { asJson } from '../../../core/workflows/node-settings.ts'
import { type PayloadForm, payloadFaults, payloadForm } from '../../../core/workflows/payload-form.ts'
import { JsonValueField } from '../../../parts/config-form/json-value-field.tsx'
import styles from './payload-field.module.css'
import { PayloadValueField } from './payload-value-field.tsx'
import { readPayload } from './trigger-payload.ts'

const OTHERS = ' others'
const NO_FAULTS: ReadonlyMap<string, string> = new Map()

type View = 'fields' | 'json'

/** The payload in a form of a test or a run. */
export interface PayloadInput {
  trigger: GraphNode | undefined
  text: string
  /** null: the text is not valid JSON. */
  payload: { value: unknown } | null
  /** The payload as fields; null: it is shown as JSON. */
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
  noteUnread(name: string, text: string | null): void
}

/** Reads the payload in `text`, which both views edit. @param trigger it declares the fields */
export function usePayloadInput(trigger: GraphNode | undefined, text: string): PayloadInput {
  const [view, setView] = useState<View>('fields')
  const [unread, setUnread] = useState<ReadonlySet<string>>(new Set())
  const payload = useMemo(() => readPayload(text), [text])
  const possible = useMemo(
    () => (payload === null ? null : payloadForm(trigger, payload.value)),
    [trigger, payload],
  )
  const form = view === 'fields' ? possible : null
  const faults = useMemo(
    () => (form === null || trigger === undefined ? NO_FAULTS : payloadFaults(trigger, form)),
    [form, trigger],
  )
  const faulty = (form?.fields ?? []).filter(({ name }) => faults.has(name) || unread.has(name))
  const labels = faulty.map(({ label }) => label)
  if (form !== null && unread.has(OTHERS)) labels.push(words.other)
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
    <div className={styles.payload}>
      {hasFields && (
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
      )}
      {form === null || trigger === undefined ? (
        <CodeField
          label={words.label}
          description={declares && !hasFields && payload !== null ? words.onlyJson : words.detail}
          language="json"
          value={text}
          onChange={onChange}
          maxLines={maxLines}
          error={payload === null ? input.problem : null}
        />
      ) : (
        <FieldsOfPayload {...{ input, trigger, form, onChange }} />
      )}
    </div>
  )
}

interface FieldsOfPayloadProps extends Pick<PayloadFieldsProps, 'input' | 'onChange'> {
  trigger: GraphNode
  form: PayloadForm
}

function FieldsOfPayload({ input, trigger, form, onChange }: FieldsOfPayloadProps) {
  const { fields, values, others } = form
  const hasOthers = trigger.type === 'http-request' && Object.keys(others).length > 0
  return (
    <fieldset className={styles.fields}>
      <legend>{words.label}</legend>
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
            value={Object.hasOwn(values, name) ? values[name] : undefined}
            onChange={(value) => onChange(asJson(form.withValue(field, value)))}
            onUnread={(typed) => input.noteUnread(name, typed)}
          />
        )
      })}
      {hasOthers && (
        <JsonValueField
          id={`payload ${trigger.id}${OTHERS}`}
          label={words.other}
          description={words.otherDetail}
          isObject
          value={others}
          maxLines={10}
          onChange={(next) => {
            const declared = Object.entries(values).filter(([name]) => !Object.hasOwn(others, name))
            const typed = isJsonObject(next) ? next : {}
            onChange(asJson(form.with({ ...typed, ...Object.fromEntries(declared) })))
          }}
          onUnread={(typed) => input.noteUnread(OTHERS, typed)}
        />
      )}
    </fieldset>
  )
}
