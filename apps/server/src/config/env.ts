import { readVariables } from '@troupe/telemetry/variable-files'
import { ABSENT_FEATURES, VARIABLES, type VariableName } from './variables.ts'

/** The environment as read by the server: known variables only, including from files (`NAME_FILE`); unset and empty are both null. */
export interface Env {
  values: Record<VariableName, string | null>
  /** Variables of features that this version lacks, and misspelt names of supported ones. */
  absent: readonly { name: string; feature: string }[]
  /** Unusable files of variables, a sentence each. */
  problems: readonly string[]
  /** The complete environment, only for `${NAME}` in a bundle. */
  all: Readonly<Record<string, string | undefined>>
}

/** Reads an environment (this process's by default). The only place that touches `process.env`. */
export function readEnv(source: Record<string, string | undefined> = process.env): Env {
  const names = VARIABLES.map(({ name }) => name)
  const read = readVariables(names, source)
  const values = Object.fromEntries(
    names.map((name) => [name, read.values[name]?.trim() || null]),
  ) as Env['values']
  const absent = Object.keys(source)
    .filter((name) => source[name]?.trim() && !Object.hasOwn(values, name) && !isFileOf(name))
    .flatMap((name) => {
      const found = ABSENT_FEATURES.find(({ match }) => match.test(name))
      return found ? [{ name, feature: found.feature }] : []
    })
  return { values, absent, problems: read.problems, all: source }
}

/** Whether a name is the `_FILE` name of a known variable. */
function isFileOf(name: string): boolean {
  return VARIABLES.some((variable) => name === `${variable.name}_FILE`)
}
