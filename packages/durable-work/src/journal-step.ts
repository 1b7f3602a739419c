import { validator } from '@troupe/contract'
import { type Static, type TSchema, type TUnsafe, Type } from 'typebox'
import { StepUnreadable } from './interruption.ts'

/** A finished step of a journal, as it is stored. */
export interface StoredStep {
  /** The kind of the step; null in rows of programs that did not store it. */
  name: string | null
  /** The version of the output's shape. */
  version: number
  /** JSON. */
  output: unknown
}

/**
 * A kind of step in journals, declared once with the shape of its output. A deploy may change the program between two turns of
 * a job. A new optional property keeps the version; any other change of the schema needs the next version.
 */
export interface JournalStep<T> {
  readonly name: string
  readonly version: number
  /**
   * The output of a committed step.
   *
   * @throws StepUnreadable when it is another kind of step, another version, or does not fit the schema.
   */
  read(key: string, stored: StoredStep): T
}

/** Declares a kind of step. */
export function journalStep<S extends TSchema>(
  name: string,
  version: number,
  schema: S,
): JournalStep<Static<S>> {
  const validate = validator(schema)
  return {
    name,
    version,
    read(key, stored) {
      const refuse = (problem: string) => {
        const found = `${stored.name ?? 'a step without a name'} in version ${stored.version}`
        throw new StepUnreadable(`the step ${key} is stored as ${found}: ${problem}`)
      }
      // Programs before names and versions wrote every step in its first version.
      const isKnown = (stored.name === null || stored.name === name) && stored.version === version
      if (!isKnown) return refuse(`this program reads ${name} in version ${version}`)
      const checked = validate(stored.output)
      if (checked.ok) return checked.value
      const [first] = checked.errors
      return refuse(`${first?.path || 'the output'} ${first?.message ?? ''}`)
    },
  }
}

/** A type with its lists as JSON has them. */
type Written<T> = T extends readonly (infer Item)[]
  ? Written<Item>[]
  : T extends object
    ? { [Key in keyof T]: Written<T[Key]> }
    : T

/** `unknown` for two types with the same values, else `never`. */
type Fits<S, T> = [S, Written<T>] extends [T, Written<S>] ? unknown : never

/**
 * The schema of a type that is declared elsewhere. It does not compile if the schema allows other values than the type,
 * or fewer: a step with one of the missing values could not be read again.
 */
export function schemaOf<T>() {
  return <S extends TSchema>(schema: S & Fits<Static<S>, T>): TUnsafe<T> => Type.Unsafe<T>(schema)
}

/** An id, which is a text in the journal. */
export function idText<T extends string>(): TUnsafe<T> {
  return Type.Unsafe<T>(Type.String())
}
