import type { KnownToken } from '@troupe/editor/tokens/known-tokens'

/** Example tokens in texts of node types, which belong to no workflow: `{{ trigger.amount }}`. */
const EXAMPLE = /\{\{ trigger\.\w+ \}\}/

/**
 * A text of a node type whose example of a token is one that the step can read, of the wanted type: most forms have no
 * `trigger.text`. The text is unchanged if there is none.
 *
 * @param tokens the tokens of the step, the preferred ones first
 * @param type a type of JSON Schema
 */
export function withKnownExample<Text extends string | null>(
  text: Text,
  tokens: readonly Pick<KnownToken, 'path' | 'type'>[],
  type: string,
): Text | string {
  if (text === null || !EXAMPLE.test(text)) return text
  const fits = (own: string | null) => own === type || (type === 'number' && own === 'integer')
  const known = tokens.find((token) => fits(token.type))
  return known ? text.replace(EXAMPLE, () => `{{ ${known.path} }}`) : text
}
