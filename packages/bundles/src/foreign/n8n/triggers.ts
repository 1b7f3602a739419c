import { type FORM_FIELD_TYPES, isJsonObject, parseJson, shortened } from '@troupe/contract'
import { readSchedule } from '@troupe/graph'
import type { StepDraft } from '../draft/conversion.ts'
import { oneExit, oneStep } from '../draft/conversion.ts'
import { limited, limitedText } from '../draft/limited.ts'
import { isKey } from '../draft/marker.ts'
import { numberOf, textOf } from '../draft/plain.ts'
import { type N8nMapping, portOf } from './mapping.ts'
import type { N8nNode } from './read-n8n.ts'

const OUT = oneExit(portOf(0))
const MAX_FIELDS = 100
const MAX_OPTIONS = 500
const MAX_INPUTS = 500
const MAX_SCHEDULES = 50
const MAX_KEY = 128
const MAX_LABEL = 300
const MAX_TITLE = 200
const MAX_BUTTON = 64

/** The entries of a list parameter, such as `formFields.values`. */
export function entriesOf(parameter: unknown, key: string): Record<string, unknown>[] {
  const list = isJsonObject(parameter) ? parameter[key] : undefined
  return (Array.isArray(list) ? list : []).filter(isJsonObject)
}

type Schedule = Record<string, unknown>

const whole = (value: unknown, fallback: number) => {
  const number = numberOf(value ?? fallback)
  return Number.isInteger(number) && number >= 0 ? number : fallback
}

/** A cron pattern of five fields; seconds are removed with a remark. */
function cronOf(pattern: string, remarks: string[]): Schedule {
  const fields = pattern.trim().replace(/^=/, '').split(/\s+/)
  if (fields.length !== 6) return { mode: 'cron', cron: fields.join(' ') }
  remarks.push(`The pattern "${pattern.slice(0, 100)}" has seconds, and schedules fire on the minute.`)
  return { mode: 'cron', cron: fields.slice(1).join(' ') }
}

/** Hours of the wall clock, days and months are counted as cron does: */
const every = (n: number) => (n <= 1 ? '*' : `*/${n}`)

/** One rule of a Schedule Trigger. */
function scheduleRule(rule: Record<string, unknown>, remarks: string[]): Schedule {
  const minute = whole(rule.triggerAtMinute, 0)
  const hour = whole(rule.triggerAtHour, 0)
  switch (rule.field ?? 'days') {
    case 'seconds':
      remarks.push(
        `It fired every ${whole(rule.secondsInterval, 30)} seconds. Schedules fire every minute at most.`,
      )
      return { mode: 'interval', every: 1, unit: 'minutes' }
    case 'minutes':
      return { mode: 'interval', every: whole(rule.minutesInterval, 5) || 5, unit: 'minutes' }
    case 'hours':
      return { mode: 'cron', cron: `${minute} ${every(whole(rule.hoursInterval, 1))} * * *` }
    case 'days':
      return { mode: 'cron', cron: `${minute} ${hour} ${every(whole(rule.daysInterval, 1))} * *` }
    case 'weeks': {
      const weeks = whole(rule.weeksInterval, 1)
      if (weeks > 1) remarks.push(`It fired every ${weeks} weeks. Now it fires every week.`)
      const days = Array.isArray(rule.triggerAtDay) ? rule.triggerAtDay.map((day) => whole(day, 0)) : [0]
      return { mode: 'cron', cron: `${minute} ${hour} * * ${days.length === 0 ? '*' : days.join(',')}` }
    }
    case 'months': {
      const day = whole(rule.triggerAtDayOfMonth, 1)
      return { mode: 'cron', cron: `${minute} ${hour} ${day} ${every(whole(rule.monthsInterval, 1))} *` }
    }
    case 'cronExpression':
      return cronOf(textOf(rule.expression ?? ''), remarks)
    default:
      return {}
  }
}

/** One time of the old Cron node. */
function cronItem(item: Record<string, unknown>, remarks: string[]): Schedule {
  const minute = whole(item.minute, 0)
  const hour = whole(item.hour, 14)
  switch (item.mode ?? 'everyDay') {
    case 'everyMinute':
      return { mode: 'interval', every: 1, unit: 'minutes' }
    case 'everyHour':
      return { mode: 'cron', cron: `${minute} * * * *` }
    case 'everyDay':
      return { mode: 'cron', cron: `${minute} ${hour} * * *` }
    case 'everyWeek':
      return { mode: 'cron', cron: `${minute} ${hour} * * ${whole(item.weekday, 1)}` }
    case 'everyMonth':
      return { mode: 'cron', cron: `${minute} ${hour} ${whole(item.dayOfMonth, 1)} * *` }
    case 'everyX':
      return {
        mode: 'interval',
        every: whole(item.value, 2) || 1,
        unit: item.unit === 'minutes' ? 'minutes' : 'hours',
      }
    case 'custom':
      return cronOf(textOf(item.cronExpression ?? ''), remarks)
    default:
      return {}
  }
}

function intervalOf({ interval, unit }: Record<string, unknown>, remarks: string[]): Schedule {
  const number = whole(interval, 1) || 1
  if (unit === 'minutes' || unit === 'hours') return { mode: 'interval', every: number, unit }
  remarks.push(`It fired every ${number} seconds. Schedules fire every minute at most.`)
  return { mode: 'interval', every: Math.max(1, Math.ceil(number / 60)), unit: 'minutes' }
}

function schedulesOf(node: N8nNode, remarks: string[]): Schedule[] {
  const { parameters } = node
  if (node.type.endsWith('.interval')) return [intervalOf(parameters, remarks)]
  if (node.type.endsWith('.cron')) {
    return entriesOf(parameters.triggerTimes, 'item').map((item) => cronItem(item, remarks))
  }
  const rules = entriesOf(parameters.rule, 'interval')
  return (rules.length === 0 ? [{}] : rules).map((rule) => scheduleRule(rule, remarks))
}

const noValues = () => ({ reason: 'a schedule has no values' })

const FORM_TYPES: Readonly<Record<string, (typeof FORM_FIELD_TYPES)[number]>> = {
  text: 'text',
  textarea: 'textarea',
  number: 'number',
  email: 'email',
  password: 'password',
  date: 'date',
  dropdown: 'dropdown',
  radio: 'radio',
  checkbox: 'checkboxes',
  file: 'file',
  hiddenField: 'hidden',
}

/** The name of a form field: its label, without characters that tokens cannot contain. A remark reports a truncation. */
const fieldName = (field: Record<string, unknown>, remarks: string[] = []) =>
  limitedText(
    textOf(field.fieldName || field.fieldLabel || '')
      .replaceAll(/[.{}]/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
    MAX_KEY,
    'name of a field of its form',
    remarks,
  )

function formFields(node: N8nNode, remarks: string[]): Record<string, unknown>[] {
  const fields = new Map<string, Record<string, unknown>>()
  for (const field of entriesOf(node.parameters.formFields, 'values')) {
    const kind = textOf(field.fieldType ?? 'text')
    const type = kind === 'dropdown' && field.multiselect === true ? 'checkboxes' : FORM_TYPES[kind]
    const name = fieldName(field, remarks)
    if (type === undefined || name === '' || fields.has(name) || fields.size >= MAX_FIELDS) {
      remarks.push(`The form's ${kind} "${name || '(no name)'}" is omitted.`)
      continue
    }
    const options = [
      ...new Set(
        entriesOf(field.fieldOptions, 'values').map(({ option }) =>
          limitedText(textOf(option ?? ''), MAX_LABEL, `option of "${name}"`, remarks),
        ),
      ),
    ].filter((option) => option !== '')
    const needsOptions = type === 'dropdown' || type === 'radio' || type === 'checkboxes'
    if (needsOptions && options.length === 0)
      remarks.push(`"${name}" has no options, so it became a line of text.`)
    const accept = textOf(field.acceptFileTypes ?? '')
    const isAccept = /^\s*(\.\w{1,16}\s*(,\s*\.\w{1,16}\s*)*)?$/.test(accept)
    if (type === 'file' && !isAccept)
      remarks.push(
        `"${name}" accepts any file: ${JSON.stringify(shortened(accept, 100))} is not a list of file extensions.`,
      )
    fields.set(name, {
      name,
      label: limitedText(textOf(field.fieldLabel || name), MAX_LABEL, `label of "${name}"`, remarks),
      type: needsOptions && options.length === 0 ? 'text' : type,
      required: type !== 'hidden' && field.requiredField === true,
      ...(typeof field.placeholder === 'string' &&
        field.placeholder !== '' && {
          placeholder: limitedText(field.placeholder, MAX_LABEL, `placeholder of "${name}"`, remarks),
        }),
      ...(needsOptions &&
        options.length > 0 && { options: limited(options, MAX_OPTIONS, `options of "${name}"`, remarks) }),
      ...(type === 'file' && isAccept && { accept }),
      ...(type === 'file' && field.multipleFiles === true && { multiple: true }),
    })
  }
  return [...fields.values()]
}

const INPUT_TYPES: Readonly<Record<string, 'string' | 'number' | 'boolean' | 'object'>> = {
  string: 'string',
  number: 'number',
  boolean: 'boolean',
  object: 'object',
}

/** The declared inputs of a workflow that other workflows call. */
function declaredInputs(node: N8nNode, remarks: string[]): Record<string, unknown>[] {
  const declared = entriesOf(node.parameters.workflowInputs, 'values').map(
    ({ name, type = 'string' }) => [name, INPUT_TYPES[textOf(type)]] as const,
  )
  const example = parseJson(textOf(node.parameters.jsonExample ?? ''))
  const named = example.ok && isJsonObject(example.value) ? Object.entries(example.value) : []
  const shown = named.map(
    ([name, value]) => [name, isJsonObject(value) ? 'object' : INPUT_TYPES[typeof value]] as const,
  )
  const fields = new Map<string, Record<string, unknown>>()
  for (const [name, type] of declared.length > 0 ? declared : shown) {
    if (typeof name === 'string' && type && isKey(name) && name.length <= MAX_KEY)
      fields.set(name, { name, type, required: false })
    else remarks.push(`The input "${shortened(textOf(name), 100)}" is not declared; send it all the same.`)
  }
  return limited([...fields.values()], MAX_INPUTS, 'inputs', remarks)
}

const NODES = 'packages/nodes-base/nodes'
const LANGCHAIN = 'packages/@n8n/nodes-langchain/nodes'

/** Nodes that start a workflow. */
export const N8N_TRIGGERS: readonly N8nMapping[] = [
  {
    types: ['n8n-nodes-base.manualTrigger', 'n8n-nodes-base.start'],
    becomes: 'Manual trigger',
    source: `${NODES}/ManualTrigger/ManualTrigger.node.ts`,
    trigger: 'manual-trigger',
    output: (keys) => ({ trigger: keys }),
    convert: () => oneStep({ type: 'manual-trigger', config: {} }, OUT),
  },
  {
    types: ['n8n-nodes-base.webhook'],
    becomes: 'HTTP Request; its address and signing secret are new',
    source: `${NODES}/Webhook/Webhook.node.ts`,
    trigger: 'http-request',
    output: ([first, ...rest]) =>
      first === undefined
        ? { trigger: [] }
        : first === 'body'
          ? { trigger: [first, ...rest] }
          : { reason: 'only the body of a webhook call is kept' },
    convert: ({ parameters }) => {
      const method = parameters.httpMethod ?? 'GET'
      const remarks = ['Its address is new, and its callers must sign their requests.']
      if (method !== 'POST')
        remarks.push(
          `It was called with ${textOf(method).slice(0, 100)}; webhooks here are called with POST.`,
        )
      return oneStep({ type: 'http-request', config: {} }, OUT, { remarks })
    },
  },
  {
    types: ['n8n-nodes-base.formTrigger'],
    becomes: 'Form Trigger',
    source: `${NODES}/Form/FormTrigger.node.ts`,
    trigger: 'form-trigger',
    output: ([first, ...rest], node) => {
      if (first === undefined) return { trigger: ['body'] }
      const field = entriesOf(node.parameters.formFields, 'values').find(
        (one) => one.fieldLabel === first || one.fieldName === first,
      )
      return field
        ? { trigger: ['body', fieldName(field), ...rest] }
        : { reason: 'the form has no such field' }
    },
    convert: (node) => {
      const remarks: string[] = ['The address of the form is new.']
      const fields = formFields(node, remarks)
      if (fields.length === 0) return null
      const { formTitle, formDescription, options } = node.parameters
      const label = isJsonObject(options) ? options.buttonLabel : null
      const after = isJsonObject(options)
        ? entriesOf({ values: [(options.respondWithOptions as { values?: unknown })?.values] }, 'values')[0]
        : undefined
      return oneStep(
        {
          type: 'form-trigger',
          config: {
            title: limitedText(textOf(formTitle || node.name), MAX_TITLE, 'title of the form', remarks),
            description: textOf(formDescription ?? ''),
            ...(typeof label === 'string' &&
              label !== '' && { submitLabel: limitedText(label, MAX_BUTTON, 'text of its button', remarks) }),
            ...(typeof after?.formSubmittedText === 'string' && { successMessage: after.formSubmittedText }),
            fields,
          },
        },
        OUT,
        { remarks },
      )
    },
  },
  {
    types: ['n8n-nodes-base.scheduleTrigger', 'n8n-nodes-base.cron', 'n8n-nodes-base.interval'],
    becomes: 'Recurrence, one for each of its rules',
    source: `${NODES}/Schedule/ScheduleTrigger.node.ts`,
    trigger: 'recurrence',
    output: noValues,
    convert: (node, { timezone }) => {
      const remarks: string[] = []
      const schedules = limited(schedulesOf(node, remarks), MAX_SCHEDULES, 'schedules', remarks)
      if (timezone === null)
        remarks.push('The export does not say its time zone; it is UTC until you choose one.')
      const configs = schedules.map((schedule) => ({ ...schedule, timezone: timezone ?? 'UTC' }))
      if (configs.length === 0 || configs.some((config) => !readSchedule(config).ok)) return null
      const steps = configs.map((config): StepDraft => ({ type: 'recurrence', config }))
      const exits = new Map([[portOf(0), steps.map((_, step) => ({ step, handle: 'out' }))]])
      return { outcome: 'step', steps, exits, remarks, choices: [], note: null }
    },
  },
  {
    types: ['@n8n/n8n-nodes-langchain.chatTrigger', '@n8n/n8n-nodes-langchain.manualChatTrigger'],
    becomes: 'HTTP Request with the fields chatInput and sessionId',
    source: `${LANGCHAIN}/trigger/ChatTrigger/ChatTrigger.node.ts`,
    trigger: 'http-request',
    output: ([first, ...rest]) =>
      first === undefined || first === 'chatInput' || first === 'sessionId'
        ? { trigger: first === undefined ? [] : [first, ...rest] }
        : { reason: 'only chatInput and sessionId are sent' },
    convert: () => {
      const fields = [
        { name: 'chatInput', type: 'string', required: true },
        { name: 'sessionId', type: 'string', required: false },
      ]
      const remarks = [
        'It was a chat. Call the workflow by the API with {"input": {"chatInput": "…"}}, or use an agent for conversations.',
      ]
      return oneStep({ type: 'http-request', config: { fields } }, OUT, { remarks })
    },
  },
  {
    types: ['n8n-nodes-base.executeWorkflowTrigger'],
    becomes: 'HTTP Request with the declared inputs',
    source: `${NODES}/ExecuteWorkflow/ExecuteWorkflowTrigger/ExecuteWorkflowTrigger.node.ts`,
    trigger: 'http-request',
    output: (keys) => ({ trigger: keys }),
    convert: (node) => {
      const remarks = ['Other workflows called it. Here it is called by the API.']
      const config = { fields: declaredInputs(node, remarks) }
      return oneStep({ type: 'http-request', config }, OUT, { remarks })
    },
  },
]
