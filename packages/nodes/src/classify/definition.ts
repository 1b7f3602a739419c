import { Type } from 'typebox'
import { Literal, Switch, Text } from '../definition/fields.ts'
import { ModelField, modelProblems, modelReferences } from '../definition/model-field.ts'
import { defineNode } from '../definition/node-definition.ts'
import { outputField } from '../definition/output-fields.ts'
import { blockingProblem, objectsIn, repeated } from '../definition/problems.ts'
import { timingFields } from '../definition/timing.ts'

/** The handle and category of texts that fit no class. */
export const OTHER = { id: 'other', name: 'Other' } as const

const ClassRow = Type.Object({
  name: Literal({ title: 'Name', minLength: 1, maxLength: 64 }),
  id: Literal({
    title: 'Id of the branch',
    description:
      'What connections and tokens call this class: refund-request. Its name may change later, the id stays.',
    pattern: '^[a-z0-9][a-z0-9-]{0,39}$',
    patternMessage: 'must have 1 to 40 lower-case letters, digits or -, not beginning with -',
    form: { control: 'text', from: 'name' },
  }),
  description: Literal({ title: 'Description', default: '', form: { control: 'text-area' } }),
})

/** Lets a model choose one of several branches. */
export const classify = defineNode({
  type: 'classify',
  role: 'effect',
  title: 'Classify',
  summary: 'Lets a model assign a text to one of your classes and continues on its branch.',
  icon: 'split',
  group: 'ai',
  place: 4,
  schema: Type.Object({
    text: Text({ title: 'Text', minLength: 1, form: { control: 'text-area' } }),
    instructions: Text({ title: 'Instructions', default: '', form: { control: 'text-area' } }),
    classes: Type.Array(ClassRow, {
      title: 'Classes',
      minItems: 1,
      maxItems: 50,
      form: { control: 'list' },
    }),
    includeOther: Switch({
      title: 'Other',
      description: 'A branch for texts that fit no class. Without it, such a text fails the step.',
      default: true,
    }),
    model: ModelField,
    ...timingFields(),
  }),
  handles: ({ classes, includeOther }) => {
    const ids = objectsIn(classes).flatMap(([, { id }]) => (typeof id === 'string' ? [id] : []))
    return [...new Set([...ids, ...(includeOther === false ? [] : [OTHER.id])])]
  },
  outputsOf: () => ['category', 'categoryId', 'reason'].flatMap((name) => outputField(name, 'string')),
  outputOfWay: ({ classes }, way) => {
    const chosen = objectsIn(classes).find(([, { id }]) => id === way)
    const name = way === OTHER.id ? OTHER.name : chosen?.[1].name
    return { category: typeof name === 'string' ? name : way, categoryId: way }
  },
  references: modelReferences,
  rules: (config) => [
    ...modelProblems(config),
    ...repeated(config.classes, 'id', 'classes', 'class'),
    ...objectsIn(config.classes)
      .filter(([, { id }]) => id === OTHER.id)
      .map(([index]) =>
        blockingProblem(`classes.${index}.id`, 'must not be "other", the id for texts that fit no class'),
      ),
  ],
})
