/** The operators of conditions. */
export const OPERATORS = [
  'eq',
  'neq',
  'gt',
  'gte',
  'lt',
  'lte',
  'contains',
  'not_contains',
  'starts_with',
  'ends_with',
  'is_empty',
  'is_not_empty',
  'exists',
  'not_exists',
  'is_true',
  'is_false',
  'matches',
] as const
export type Operator = (typeof OPERATORS)[number]

/** The operators that use only the left side. */
export const UNARY_OPERATORS: ReadonlySet<string> = new Set<Operator>([
  'is_empty',
  'is_not_empty',
  'exists',
  'not_exists',
  'is_true',
  'is_false',
])
