import type { Config } from './config.ts'
import type { Env } from './env.ts'
import { VARIABLES } from './variables.ts'

const MASK = '********'
/** Masks passwords in URLs: the table is printed before the configuration is validated. */
const USER_INFO = /\/\/[^/]*@/g

/** The table of all variables with their effective values; secrets are masked to a fixed length. */
export function describeConfig(env: Env): string {
  const rows = VARIABLES.map(({ name, fallback, meaning, secret }) => {
    const value = env.values[name]
    const inForce = value === null ? `(${fallback})` : secret ? MASK : value.replace(USER_INFO, `//${MASK}@`)
    return [name, inForce, meaning] as const
  })
  const width = (column: 0 | 1) => Math.max(...rows.map((row) => row[column].length))
  const [names, values] = [width(0), width(1)]
  return rows
    .map(([name, value, meaning]) => `${name.padEnd(names)}  ${value.padEnd(values)}  ${meaning}`)
    .join('\n')
}

/** Consequences of the settings, and changes that the operator should make. */
export function describeDecisions({ exposure, warnings }: Pick<Config, 'exposure' | 'warnings'>): string {
  const parts = [
    ['Effects of these settings:', exposure.decisions],
    ['Please check:', warnings],
  ] as const
  return parts
    .filter(([, sentences]) => sentences.length > 0)
    .map(([title, sentences]) => [title, ...sentences.map((sentence) => `  - ${sentence}`)].join('\n'))
    .join('\n\n')
}
