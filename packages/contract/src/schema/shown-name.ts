import { Type } from 'typebox'

/** A name that people read: 1 to 128 characters, not only white space. */
export const ShownName = Type.String({
  minLength: 1,
  maxLength: 128,
  pattern: '\\S',
  patternMessage: 'must not be blank',
})
