import { Type } from 'typebox'
import { Literal, OneOf, OptionalLiteral, SampleOfFields, Switch, Whole } from '../definition/fields.ts'
import { defineNode } from '../definition/node-definition.ts'
import { type OutputField, outputField } from '../definition/output-fields.ts'
import { HTTPS_URL } from '../definition/patterns.ts'
import { objectsIn } from '../definition/problems.ts'
import { FormField } from './field-schemas.ts'
import { formProblems } from './rules.ts'

const Auth = Type.Object(
  {
    mode: OneOf(
      {
        none: 'Everybody with the link',
        basic: 'Anyone with the user name and password',
        'service-login': 'Members, after signing in',
      },
      { title: 'Who may open the form', default: 'none' },
    ),
    username: OptionalLiteral({
      title: 'User name',
      description: 'You enter the password when you publish.',
      minLength: 1,
      maxLength: 128,
      form: { control: 'text', when: { key: 'mode', is: ['basic'] } },
    }),
  },
  { title: 'Access', default: {} },
)

const Theme = Type.Object(
  {
    mode: OneOf(
      { light: 'Light', dark: 'Dark', auto: 'As the visitor’s device' },
      { title: 'Brightness', default: 'auto' },
    ),
    accent: OptionalLiteral({
      title: 'Accent color',
      pattern: '^#[0-9a-fA-F]{6}$',
      patternMessage: 'must be a color such as #2f6fed',
      form: { control: 'color' },
    }),
    radius: Whole({ title: 'Corner radius', minimum: 0, maximum: 24, default: 8 }),
    logoUrl: OptionalLiteral({ title: 'Logo', ...HTTPS_URL }),
  },
  { title: 'Theme', default: {} },
)

/** The keys of each file: its text, name, type and size. */
const FILE_KEYS = { text: 'string', filename: 'string', contentType: 'string', sizeBytes: 'number' } as const

const ANSWER_TYPES: Readonly<Record<string, string>> = {
  number: 'number',
  checkboxes: 'array',
  file: 'array',
}

function answerFields({ name, type, multiple }: Record<string, unknown>): OutputField[] {
  return outputField(name).flatMap(({ path }) =>
    type === 'file' && multiple !== true
      ? Object.entries(FILE_KEYS).map(([key, of]) => ({ path: `body.${path}.${key}`, type: of }))
      : [{ path: `body.${path}`, type: ANSWER_TYPES[String(type)] ?? 'string' }],
  )
}

/** Starts a run when a visitor submits a form. */
export const formTrigger = defineNode({
  type: 'form-trigger',
  role: 'trigger',
  trigger: 'form',
  title: 'Form Trigger',
  summary: 'Shows a form on the web and starts the workflow with what people submit.',
  icon: 'clipboard-list',
  group: 'triggers',
  place: 3,
  schema: Type.Object({
    title: Literal({ title: 'Title', minLength: 1, maxLength: 200 }),
    description: Literal({ title: 'Description', default: '', form: { control: 'markdown' } }),
    fields: Type.Array(FormField, { title: 'Fields', minItems: 1, maxItems: 100, form: { control: 'list' } }),
    submitLabel: Literal({ title: 'Button', minLength: 1, maxLength: 64, default: 'Submit' }),
    successMessage: Literal({
      title: 'Message after submitting',
      default: 'Thank you. Your answer was received.',
      form: { control: 'markdown' },
    }),
    redirectUrl: OptionalLiteral({ title: 'Redirect to this URL after submitting', ...HTTPS_URL }),
    auth: Auth,
    theme: Theme,
    botGuard: Switch({ title: 'Protect against bots', default: false }),
    embedOrigins: Type.Array(Type.String({ maxLength: 300 }), {
      maxItems: 100,
      title: 'Sites that may embed the form',
      default: [],
      form: { control: 'tags', placeholder: 'https://example.com' },
    }),
    sample: SampleOfFields,
  }),
  handles: () => ['out'],
  outputsOf: ({ fields }) => objectsIn(fields).flatMap(([, field]) => answerFields(field)),
  answers: ({ fields }) =>
    objectsIn(fields).flatMap(([, { name, type, required }]) =>
      typeof name === 'string' ? [{ name, required: required === true, isFile: type === 'file' }] : [],
    ),
  rules: formProblems,
})
