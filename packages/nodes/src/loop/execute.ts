import { jsonType } from '@troupe/json-schema'
import { NodeFailure } from '@troupe/workflows/ports'
import { pureHandler } from '../execution/handler.ts'
import { holds } from '../execution/holds.ts'
import { valueIn } from '../execution/resolve-field.ts'
import { loop } from './definition.ts'

function shown(value: unknown): string {
  return typeof value === 'number' ? String(value) : jsonType(value)
}

/** Determines what to repeat over; for `while`, also evaluates the condition before each iteration. */
export const executeLoop = pureHandler(loop, (config, { scope, iteration }) => {
  switch (config.mode) {
    case 'list': {
      const items = valueIn(config.source, 'source', scope)
      if (Array.isArray(items)) return { status: 'repeat', range: { mode: 'list', items } }
      throw new NodeFailure(`Loop source must be a list, got ${jsonType(items)}`)
    }
    case 'count': {
      const count = valueIn(config.count, 'count', scope)
      if (typeof count === 'number' && Number.isInteger(count) && count >= 0) {
        return { status: 'repeat', range: { mode: 'count', count } }
      }
      throw new NodeFailure(`Loop count must be an integer of at least 0, got ${shown(count)}`)
    }
    case 'while':
      if (iteration === null) return { status: 'repeat', range: { mode: 'while' } }
      return { status: 'condition', holds: holds(config.condition, scope) }
    default:
      return config.mode satisfies never
  }
})
