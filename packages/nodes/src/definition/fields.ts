import { type TUnsafe, Type } from 'typebox'
import type { FieldOptions } from './form-hint.ts'

interface TextOptions extends FieldOptions {
  minLength?: number
  maxLength?: number
}

/** A JSON Schema with the TypeScript type of its values. */
function typed<T>(schema: Record<string, unknown>): TUnsafe<T> {
  return Type.Unsafe<T>(schema)
}

/** A string with interpolated tokens; the result is text. */
export const Text = (options: TextOptions) => typed<string>({ type: 'string', template: 'text', ...options })

/** A `Text` field that may be null, which is its default. */
export const OptionalText = (options: TextOptions) =>
  typed<string | null>({ type: ['string', 'null'], template: 'text', default: null, ...options })

/** Any JSON whose strings are interpolated; a string that is a single token takes the type of its value. */
export const Value = (options: FieldOptions) => typed<unknown>({ template: 'value', ...options })

/** A literal string, without interpolation. */
export const Literal = (options: TextOptions & { pattern?: string; patternMessage?: string }) =>
  typed<string>({ type: 'string', ...options })

/** A literal string or null, which is its default. */
export const OptionalLiteral = (options: TextOptions & { pattern?: string; patternMessage?: string }) =>
  typed<string | null>({ type: ['string', 'null'], default: null, ...options })

/** One of a fixed list of strings, each with its title for people; the titles are stored under `choices`. */
export const OneOf = <T extends string>(choices: Readonly<Record<T, string>>, options: FieldOptions) =>
  typed<T>({ type: 'string', enum: Object.keys(choices), choices, ...options })

/** As `OneOf`, or null, which is its default. */
export const OptionalOneOf = <T extends string>(
  choices: Readonly<Record<T, string>>,
  options: FieldOptions,
) =>
  typed<T | null>({
    type: ['string', 'null'],
    enum: [...Object.keys(choices), null],
    choices,
    default: null,
    ...options,
  })

/** On or off. */
export const Switch = (options: FieldOptions) =>
  typed<boolean>({ type: 'boolean', form: { control: 'switch' }, ...options })

/** A whole number within a range. */
export const Whole = (options: FieldOptions & { minimum: number; maximum?: number }) =>
  typed<number>({ type: 'integer', form: { control: 'number' }, ...options })

/** A number, or null, which is its default. */
export const OptionalNumber = (options: FieldOptions & { minimum?: number; maximum?: number }) =>
  typed<number | null>({ type: ['number', 'null'], default: null, form: { control: 'number' }, ...options })

/** A whole number, or null, which is its default. */
export const OptionalWhole = (options: FieldOptions & { minimum?: number; maximum?: number }) =>
  typed<number | null>({ type: ['integer', 'null'], default: null, form: { control: 'number' }, ...options })

/** The id of something outside the graph. */
export const ResourceId = (options: FieldOptions) =>
  typed<string>({ type: 'string', format: 'uuid', ...options })

/** An example payload for the builder; runs never see it. */
export const Sample = typed<Record<string, unknown> | null>({
  type: ['object', 'null'],
  maxProperties: 1_000,
  default: null,
  title: 'Sample payload',
  description: 'Used in the builder only: for test runs and to suggest tokens.',
  form: { control: 'json' },
})

/** An example payload of a trigger with fields. The sample values beside the draft come first. */
export const SampleOfFields = typed<Record<string, unknown> | null>({
  type: ['object', 'null'],
  maxProperties: 1_000,
  default: null,
  title: 'Sample payload',
  description: 'Part of the workflow and of its bundles. The sample values of the draft are used before it.',
  form: { control: 'json', advanced: true },
})

/** A JSON Schema that an answer must match; null for text. `outputSchemaProblems` checks the schema. */
export const OutputSchema = typed<Record<string, unknown> | null>({
  type: ['object', 'null'],
  maxProperties: 1_000,
  default: null,
  title: 'Output schema',
  description: 'A JSON Schema. With one, the step returns the parsed JSON instead of text.',
  form: { control: 'json-schema', advanced: true },
})
