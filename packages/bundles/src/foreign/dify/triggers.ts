import { isJsonObject } from '@troupe/contract'
import { readSchedule } from '@troupe/graph'
import type { Conversion, StepDraft } from '../draft/conversion.ts'
import { limited } from '../draft/limited.ts'
import { isKey } from '../draft/marker.ts'
import { numberOf, textOf } from '../draft/plain.ts'
import { type DifyContext, type DifyMapping, SOURCE } from './mapping.ts'
import type { DifyNode } from './read-dify.ts'

const NODES = 'api/core/workflow/nodes'

const listOf = (value: unknown) => (Array.isArray(value) ? value.filter(isJsonObject) : [])

/** A file is sent as an object. A list of files has no type that a trigger could declare. */
const FIELD_TYPES: Readonly<Record<string, 'string' | 'number' | 'boolean' | 'object'>> = {
  'text-input': 'string',
  paragraph: 'string',
  select: 'string',
  number: 'number',
  checkbox: 'boolean',
  file: 'object',
  json_object: 'object',
}

const MAX_ROWS = 100
const MAX_INPUTS = 500

/** A trigger, followed by the app's initial variables. */
function started(trigger: StepDraft, { app, scope }: DifyContext, remarks: string[]): Conversion {
  const rows = [
    ...app.conversation.map(({ name, value }) => ({ name: scope.variable(name), value })),
    ...app.environment
      .filter(({ type }) => type !== 'secret')
      .map(({ name, value }) => ({ name: scope.variable(`env_${name}`), value })),
  ].map((row) => ({ ...row, op: 'set', mode: 'fixed' }))
  const secrets = app.environment.filter(({ type }) => type === 'secret')
  const choices = secrets.map(({ name }) => ({
    kind: 'credential' as const,
    detail: `The secret "${name.slice(0, 100)}" of the environment was omitted. Keep it in a credential.`,
  }))
  if (app.conversation.length > 0) {
    remarks.push(
      'Conversation variables start empty in each run. An agent with a session remembers a conversation.',
    )
  }
  if (rows.length === 0) {
    return {
      outcome: 'step',
      steps: [trigger],
      exits: new Map([[SOURCE, [{ step: 0, handle: 'out' }]]]),
      remarks,
      choices,
      note: null,
    }
  }
  return {
    outcome: 'step',
    steps: [
      trigger,
      {
        type: 'variable',
        suffix: 'Variables',
        config: { rows: limited(rows, MAX_ROWS, 'variables', remarks) },
      },
    ],
    inner: [{ from: { step: 0, handle: 'out' }, to: 1 }],
    exits: new Map([[SOURCE, [{ step: 1, handle: 'out' }]]]),
    remarks,
    choices,
    note: null,
  }
}

function startFields(node: DifyNode, { app }: DifyContext, remarks: string[]) {
  const fields = new Map<string, Record<string, unknown>>()
  if (app.isChat) fields.set('query', { name: 'query', type: 'string', required: true })
  for (const { variable, type, required } of listOf(node.data.variables)) {
    const known = FIELD_TYPES[textOf(type ?? 'text-input')]
    const name = textOf(variable ?? '')
    if (known === undefined || !isKey(name) || name.length > 128) {
      remarks.push(
        `The input "${name.slice(0, 100)}" (${textOf(type).slice(0, 40)}) is not declared; send it all the same.`,
      )
    } else fields.set(name, { name, type: known, required: required === true })
  }
  return limited([...fields.values()], MAX_INPUTS, 'inputs', remarks)
}

const TWELVE = /^(\d{1,2}):(\d{2}) ?(AM|PM)$/i
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

/** The schedule of a trigger; null for an invalid one. */
function scheduleOf({ data }: DifyNode): Record<string, unknown> | null {
  const timezone = typeof data.timezone === 'string' ? data.timezone : 'UTC'
  const cron = cronOf(data)
  const config = { mode: 'cron', cron, timezone }
  return cron !== null && readSchedule(config).ok ? config : null
}

function cronOf({
  mode,
  cron_expression: expression,
  frequency,
  visual_config: visual,
}: Record<string, unknown>): string | null {
  if (mode === 'cron') return typeof expression === 'string' ? expression.trim() : null
  const settings = isJsonObject(visual) ? visual : {}
  if (frequency === 'hourly') return `${numberOf(settings.on_minute ?? 0)} * * * *`
  const [, hours, minute, half] = TWELVE.exec(textOf(settings.time ?? '12:00 AM')) ?? []
  if (hours === undefined) return null
  const hour = (numberOf(hours) % 12) + (half?.toUpperCase() === 'PM' ? 12 : 0)
  const at = `${numberOf(minute)} ${hour}`
  if (frequency === 'daily') return `${at} * * *`
  const list = (value: unknown) => (Array.isArray(value) ? value : [])
  const days = list(settings.weekdays).map((day) => DAYS.indexOf(textOf(day)))
  if (frequency === 'weekly' && days.length > 0 && !days.includes(-1)) return `${at} * * ${days.join(',')}`
  const dates = list(settings.monthly_days).map(numberOf)
  return frequency === 'monthly' && dates.length > 0 ? `${at} ${dates.join(',')} * *` : null
}

/** Nodes that start an app. */
export const DIFY_TRIGGERS: readonly DifyMapping[] = [
  {
    types: ['start'],
    becomes: 'HTTP Request with the inputs as fields; in chats the question is the field query',
    source: `${NODES}/start/entities.py`,
    trigger: 'http-request',
    output: (fields) => ({ trigger: fields }),
    convert: (node, context) => {
      const remarks: string[] = context.app.isChat
        ? ['It was a chat. Call the workflow by the API with {"input": {"query": "…"}}.']
        : []
      const fields = startFields(node, context, remarks)
      return started({ type: 'http-request', config: { fields } }, context, remarks)
    },
  },
  {
    types: ['trigger-webhook'],
    becomes: 'HTTP Request; its address and signing secret are new',
    source: `${NODES}/trigger_webhook/entities.py`,
    trigger: 'http-request',
    output: (fields) => ({ trigger: ['body', ...fields] }),
    convert: (_node, context) =>
      started({ type: 'http-request', config: {} }, context, [
        'Its address is new, and only the body of a request is kept.',
      ]),
  },
  {
    types: ['trigger-schedule'],
    becomes: 'Recurrence',
    source: `${NODES}/trigger_schedule/entities.py`,
    trigger: 'recurrence',
    output: () => ({ reason: 'a schedule has no values' }),
    convert: (node, context) => {
      const config = scheduleOf(node)
      return config && started({ type: 'recurrence', config }, context, [])
    },
  },
]
