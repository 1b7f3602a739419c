import { Type } from 'typebox'
import { Literal, OptionalWhole } from '../definition/fields.ts'
import { defineNode } from '../definition/node-definition.ts'

/** A note on the canvas. It never executes, so it has no handler. */
export const note = defineNode({
  type: 'note',
  role: 'note',
  title: 'Note',
  summary: 'A note for people who read the canvas.',
  icon: 'sticky-note',
  group: 'canvas',
  schema: Type.Object({
    markdown: Literal({ title: 'Text', default: '', form: { control: 'markdown' } }),
    color: Literal({ title: 'Color', default: 'yellow', form: { control: 'color' } }),
    width: OptionalWhole({ title: 'Width', minimum: 120, maximum: 1_600 }),
    height: OptionalWhole({ title: 'Height', minimum: 56, maximum: 1_600 }),
  }),
  handles: () => [],
})
