/** Words of the results of the last test, at the steps of a draft. */
export const lastTestWords = {
  of: (when: string, status: string) => `Values of the test ${when}, ${status.toLowerCase()}.`,
  lastTest: (when: string, status: string) => `Last test: ${when}, ${status.toLowerCase()}.`,
  openRun: 'Open the test',
  part: (loaded: string, all: string) => `The first ${loaded} of ${all} results are shown.`,
  erased: 'Retention erased its values.',
  older: (value: string) => `older: ${value}`,
  olderSpoken: 'older than its settings',
  spoken: (state: string) => `${state} in the last test`,
  /** The size first, because the end does not fit into the element of a step. */
  size: (preview: string, size: string) => `${size}: ${preview}`,
  tooLarge: (size: string) => `${size}, too large to preview`,
  title: 'Output of the last test',
  value: 'Value in the last test',
  olderDetail: 'The settings of this step, or of a step before it, have changed since then.',
  editAsPin: 'Edit as pin…',
  tooLargeToEdit: 'It is too large to be edited here: pin it as it is.',
} as const
