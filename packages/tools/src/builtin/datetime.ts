import type { Clock } from '@troupe/agents/ports'
import type { ToolBody } from '../tool/tool-maker.ts'

/** An instant in a time zone's local time. @throws RangeError for an unknown zone */
function inZone(now: number, timeZone: string): Record<string, string> {
  const options = { timeZone, hourCycle: 'h23' } as const
  const parts = new Intl.DateTimeFormat('en-CA', {
    ...options,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    weekday: 'long',
    timeZoneName: 'longOffset',
  }).formatToParts(now)
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((one) => one.type === type)?.value ?? ''
  const offset = part('timeZoneName').replace('GMT', '')
  return {
    dateTime: `${part('year')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}:${part('second')}${offset}`,
    weekday: part('weekday'),
    timezone: timeZone,
  }
}

/** Returns the current time. The agent's own zone is the default. */
export function datetime(clock: Pick<Clock, 'now'>, ownZone: string): ToolBody {
  return {
    description: `Tells the current date, time and weekday, in ${ownZone} or another time zone.`,
    inputSchema: {
      type: 'object',
      properties: { timezone: { type: 'string', description: 'An IANA time zone such as Europe/Berlin' } },
      additionalProperties: false,
    },
    idempotent: true,
    async execute({ timezone = ownZone }) {
      try {
        return { ok: true, text: JSON.stringify(inZone(clock.now(), String(timezone))) }
      } catch {
        const message = 'The timezone must be an IANA time zone such as Europe/Berlin.'
        return { ok: false, code: 'invalid_arguments', message }
      }
    },
  }
}
