import { Whole } from './fields.ts'

/** Units of longer times, with their titles. */
export const TIME_UNITS = { minutes: 'Minutes', hours: 'Hours', days: 'Days' } as const

const form = { control: 'number', advanced: true } as const

/** Timeout of one attempt of a node with effects, and number of retries after a failure. */
export const timingFields = (timeoutSeconds = 300) => ({
  timeoutSeconds: Whole({
    title: 'Timeout',
    description: 'Timeout of one attempt, in seconds.',
    minimum: 1,
    maximum: 900,
    default: timeoutSeconds,
    form,
  }),
  retries: Whole({
    title: 'Retries',
    description: 'Number of retries after a failed attempt.',
    minimum: 0,
    maximum: 5,
    default: 0,
    form,
  }),
  retryDelaySeconds: Whole({
    title: 'Delay before a retry',
    description: 'Seconds before the first retry; doubled for each further one.',
    minimum: 1,
    maximum: 300,
    default: 2,
    form,
  }),
})
