/**
 * Labels of a step's outputs, by their handles. Other outputs have their names in the workflow, such as the classes of
 * a Classify.
 */
export const HANDLE_WORDS: Readonly<Record<string, string>> = {
  true: 'if true',
  false: 'if false',
  approved: 'approved',
  rejected: 'rejected',
  timeout: 'after the deadline',
  other: 'anything else',
  done: 'after the last one',
  body: 'for each',
  out: 'then',
}
