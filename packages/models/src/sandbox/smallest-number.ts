import type { SandboxSchema } from './sandbox-schema.ts'

/** The minimum, or the number nearest to 0 that the bounds and `multipleOf` allow. */
export function smallestNumber(schema: SandboxSchema): number {
  const step = schema.multipleOf ?? (schema.type === 'number' ? 0 : 1)
  const low = schema.minimum ?? -Infinity
  const above = schema.exclusiveMinimum ?? -Infinity
  if (Math.max(low, above) > -Infinity) {
    if (low > above) return step ? Math.ceil(low / step) * step : low
    return step ? (Math.floor(above / step) + 1) * step : above + 1
  }
  const high = schema.maximum ?? Infinity
  const below = schema.exclusiveMaximum ?? Infinity
  if (high >= 0 && below > 0) return 0
  if (high < below) return step ? Math.floor(high / step) * step : high
  return step ? (Math.ceil(below / step) - 1) * step : below - 1
}
