import type { Option } from './option-list.tsx'

/**
 * The options of a combo box, including the highlighted one even if the new options lack it: the option that Enter
 * selects never changes by itself. In that case it comes first.
 */
export function keepHighlighted<Id extends string>(
  options: readonly Option<Id>[],
  highlighted: Option<Id> | null,
): readonly Option<Id>[] {
  if (highlighted === null || options.some(({ id }) => id === highlighted.id)) return options
  return [highlighted, ...options]
}
