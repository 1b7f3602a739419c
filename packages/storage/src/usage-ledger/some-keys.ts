/** Whether the row `s` of a report has one of some keys, one of which may be null; true if the parameter is null. */
export const isAmong = (parameter: string) =>
  `(${parameter}::json is null or exists (
    select from json_array_elements_text(${parameter}::json) wanted where wanted.value is not distinct from s.key))`

/** The parameter of {@link isAmong}; null: every key. */
export function keysParameter(keys: readonly (string | null)[] | undefined): string | null {
  return keys === undefined ? null : JSON.stringify(keys)
}
