import type { FORM_FIELD_TYPES } from '@troupe/contract'
import { Type } from 'typebox'
import {
  Literal,
  OneOf,
  OptionalLiteral,
  OptionalNumber,
  OptionalWhole,
  Switch,
  Whole,
} from '../definition/fields.ts'
import type { Variants } from '../definition/form-hint.ts'

export type FormFieldType = (typeof FORM_FIELD_TYPES)[number]

const TYPE_TITLES: Readonly<Record<FormFieldType, string>> = {
  text: 'One line of text',
  textarea: 'Several lines of text',
  number: 'Number',
  email: 'E-mail address',
  password: 'Password',
  date: 'Date',
  dropdown: 'One of a drop-down list',
  radio: 'One of several buttons',
  checkboxes: 'Any of several boxes',
  file: 'File',
  hidden: 'Hidden field',
}

const MAX_TEXT = 100_000
const OPTION_LENGTHS = { minLength: 1, maxLength: 300 }
const only = (...is: FormFieldType[]) => ({ key: 'type', is })

const texts = (maxLength: number) =>
  Type.Object({
    minLength: Whole({ title: 'Shortest', minimum: 0, maximum: MAX_TEXT, default: 0 }),
    maxLength: Whole({ title: 'Longest', minimum: 1, maximum: MAX_TEXT, default: maxLength }),
    pattern: OptionalLiteral({
      title: 'Pattern',
      description: 'A regular expression for the whole answer.',
      form: { control: 'text', advanced: true, when: only('text', 'textarea') },
    }),
  })

const options = Type.Array(
  Type.Unsafe<string | { value: string; label: string }>({
    type: ['string', 'object'],
    ...OPTION_LENGTHS,
    required: ['value', 'label'],
    properties: {
      value: { type: 'string', title: 'Value', ...OPTION_LENGTHS },
      label: { type: 'string', title: 'Label', ...OPTION_LENGTHS },
    },
  }),
  {
    title: 'Options',
    description: 'One per line.',
    minItems: 1,
    maxItems: 500,
    form: { control: 'lines' },
  },
)

const none = Type.Object({})
const choice = Type.Object({ options })

/** The keys that only fields of one type have. */
export const OWN_KEYS = {
  text: texts(10_000),
  textarea: texts(100_000),
  number: Type.Object({
    min: OptionalNumber({ title: 'Smallest' }),
    max: OptionalNumber({ title: 'Largest' }),
    step: OptionalNumber({ title: 'Step' }),
  }),
  email: none,
  password: none,
  date: Type.Object({
    min: OptionalLiteral({ title: 'Earliest' }),
    max: OptionalLiteral({ title: 'Latest' }),
  }),
  dropdown: choice,
  radio: choice,
  checkboxes: Type.Object({
    options,
    min: OptionalWhole({ title: 'Fewest', minimum: 0 }),
    max: OptionalWhole({ title: 'Most', minimum: 1 }),
  }),
  file: Type.Object({
    accept: Literal({
      title: 'Accepted file types',
      description: 'Extensions such as .pdf,.docx; empty accepts any.',
      default: '',
      pattern: '^\\s*(\\.[A-Za-z0-9]{1,16}\\s*(,\\s*\\.[A-Za-z0-9]{1,16}\\s*)*)?$',
      patternMessage: 'must be extensions such as .pdf,.docx',
    }),
    multiple: Switch({ title: 'Allow multiple files', default: false }),
    maxFiles: Whole({ title: 'Most files', minimum: 1, maximum: 100, default: 10 }),
  }),
  hidden: none,
} as const satisfies Record<FormFieldType, ReturnType<typeof Type.Object>>

/** In the builder's form: several boxes may be ticked initially. */
const VARIANTS: Variants = {
  key: 'type',
  schemas: {
    ...OWN_KEYS,
    checkboxes: Type.Object({
      ...OWN_KEYS.checkboxes.properties,
      defaultValue: Type.Unsafe<string[] | null>({
        type: ['array', 'null'],
        items: { type: 'string' },
        maxItems: 500,
        title: 'Default',
        description: 'The options that are ticked from the start, one per line.',
        default: null,
        form: { control: 'lines' },
      }),
    }),
  },
}

/** The keys that every field has. */
export const FormField = Type.Object(
  {
    label: Literal({ title: 'Question', minLength: 1, maxLength: 300 }),
    name: Literal({
      title: 'Name',
      description: 'The key of the answer: {{ trigger.body.<name> }}.',
      pattern: '^[^.{}]{1,128}$',
      patternMessage: 'must have 1 to 128 characters without . { }',
      form: { control: 'text', from: 'label' },
    }),
    type: OneOf(TYPE_TITLES, { title: 'Type' }),
    required: Switch({ title: 'Required', default: false }),
    help: OptionalLiteral({ title: 'Help', maxLength: 1_000 }),
    placeholder: OptionalLiteral({ title: 'Placeholder', maxLength: 300 }),
    defaultValue: Type.Unsafe<string | number | string[] | null>({
      type: ['string', 'number', 'array', 'null'],
      items: { type: 'string' },
      maxItems: 500,
      title: 'Default',
      default: null,
    }),
    prefill: Switch({ title: 'Prefill from the URL', default: false }),
  },
  { variants: VARIANTS },
)
