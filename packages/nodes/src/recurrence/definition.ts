import { type ConfigProblem, readSchedule } from '@troupe/graph'
import { Type } from 'typebox'
import { Literal, OneOf, OptionalLiteral, OptionalOneOf, OptionalWhole } from '../definition/fields.ts'
import { defineNode } from '../definition/node-definition.ts'
import { blockingProblem } from '../definition/problems.ts'
import { TIME_UNITS } from '../definition/timing.ts'

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
  place: 4,
  schema: Type.Object({
    mode: OneOf({ cron: 'A cron pattern', interval: 'An interval' }, { title: 'Starts by' }),
    cron: OptionalLiteral({
      title: 'Cron pattern',
      description:
        'Minute, hour, day of the month, month, day of the week. If neither day begins with *, a match of either is enough.',
      form: { control: 'cron', when: cron, placeholder: '0 9 * * MON-FRI' },
    }),
    every: OptionalWhole({ title: 'Every', minimum: 1, form: { control: 'number', when: interval } }),
    unit: OptionalOneOf(TIME_UNITS, { title: 'Unit', form: { control: 'choice', when: interval } }),
    timezone: Literal({ title: 'Time zone', default: 'UTC', form: { control: 'time-zone' } }),
    overlap: OneOf(
      {
        allow: 'Run beside it',
        skip: 'Skip this time',
        queue_one: 'Start after it, once',
        cancel_previous: 'Cancel it and start',
      },
      {
        title: 'When the previous run has not ended',
        default: 'allow',
        form: { control: 'choice', advanced: true },
      },
    ),
    catchUp: OneOf(
      { latest: 'Make up for the latest', none: 'Leave them out', all: 'Make up for each' },
      {
        title: 'Missed times after downtime',
        default: 'latest',
        form: { control: 'choice', advanced: true },
      },
    ),
  }),
  handles: () => ['out'],
  rules: scheduleProblems,
})
