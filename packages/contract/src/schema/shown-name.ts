import { Type } from 'typebox'

/**
 * White space, control characters and characters without a glyph, such as the zero-width space, the Hangul fillers and
 * the empty Braille cell: a name of only these is invisible.
 */
const INVISIBLE =
  '\\s\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f' +
  '\\u2028-\\u202e\\u2060-\\u206f\\u2800\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0'

const SHOWN = `[^${INVISIBLE}]`

/** A displayed name: 1 to 128 characters, at least one of them visible. */
export const ShownName = Type.String({
  minLength: 1,
  maxLength: 128,
  pattern: SHOWN,
  patternMessage: 'must not be blank',
})

/** A name as stored by older versions: it may be blank. */
export const StoredName = Type.String({ minLength: 1, maxLength: 128 })

const HAS_SHOWN = new RegExp(SHOWN, 'u')

/** Whether a name has a visible character. */
export function isShown(name: string): boolean {
  return HAS_SHOWN.test(name)
}
