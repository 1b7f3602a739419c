import { type ConfigProblem, readSchedule } from '@troupe/graph'
import { Type } from 'typebox'
import { Literal, OneOf, OptionalLiteral, OptionalWhole } from '../definition/fields.ts'
import { defineNode } from '../definition/node-definition.ts'
import { blockingProblem } from '../definition/problems.ts'

function scheduleProblems(config: Record<string, unknown>): ConfigProblem[] {
  const read = readSchedule(config)
  if (read.ok) return []
  return read.errors.map(({ path, message }) => {
    const dependsOnMode = path !== 'mode' && path !== 'timezone'
    const isMissing = dependsOnMode && (config[path] ?? null) === null
    return blockingProblem(path, isMissing ? `is required when the mode is ${config.mode}` : message)
  })
}

const cron = { key: 'mode', is: ['cron'] }
const interval = { key: 'mode', is: ['interval'] }

/** Starts a run on a schedule. */
export const recurrence = defineNode({
  type: 'recurrence',
  role: 'trigger',
  trigger: 'recurrence',
  title: 'Recurrence',
  summary: 'Starts the workflow at fixed times.',
  icon: 'calendar-clock',
  group: 'triggers',
  schema: Type.Object({
    mode: OneOf(['cron', 'interval'], { title: 'Schedule by' }),
    cron: OptionalLiteral({
      title: 'Cron pattern',
      description: 'Minute, hour, day of the month, month, day of the week.',
      form: { control: 'cron', when: cron, placeholder: '0 9 * * MON-FRI' },
    }),
    every: OptionalWhole({ title: 'Every', minimum: 1, form: { control: 'number', when: interval } }),
    unit: Type.Unsafe<'minutes' | 'hours' | 'days' | null>({
      type: ['string', 'null'],
      enum: ['minutes', 'hours', 'days', null],
      title: 'Unit',
      default: null,
      form: { control: 'choice', when: interval },
    }),
    timezone: Literal({ title: 'Time zone', default: 'UTC', form: { control: 'time-zone' } }),
    overlap: OneOf(['allow', 'skip', 'queue_one', 'cancel_previous'], {
      title: 'When the previous run has not ended',
      default: 'allow',
      form: { control: 'choice', advanced: true },
    }),
    catchUp: OneOf(['latest', 'none', 'all'], {
      title: 'Missed times after downtime',
      default: 'latest',
      form: { control: 'choice', advanced: true },
    }),
  }),
  handles: () => ['out'],
  rules: scheduleProblems,
})
