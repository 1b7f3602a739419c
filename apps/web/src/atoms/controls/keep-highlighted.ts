import type { Option } from './option-list.tsx'

/**
 * The options of a combo box, with the highlighted one although the options that just came lack it: what Enter chooses never
 * changes by itself. It comes first then.
 */
export function keepHighlighted<Id extends string>(
  options: readonly Option<Id>[],
  highlighted: Option<Id> | null,
): readonly Option<Id>[] {
  if (highlighted === null || options.some(({ id }) => id === highlighted.id)) return options
  return [highlighted, ...options]
}
