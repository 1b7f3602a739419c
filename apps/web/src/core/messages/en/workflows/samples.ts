/** Texts of the sample values of a trigger's fields. */
export const sampleWords = {
  title: 'Sample values',
  detail:
    'Tests, token completion, previews and the test call use them. They are kept with this draft: versions and bundles do not have them.',
  none: 'The trigger has no fields yet. Add fields, or fill the sample from a call.',
  other: 'Other values',
  otherDetail: 'Values of the payload that no field declares.',
  fill: 'Fill from the last call',
  noCall: 'Listen first: no call has been accepted yet.',
  noObject: 'The last call has no JSON object as its body.',
  cut: 'The last call was too long: only its beginning is kept.',
  callFailed: 'The last call could not be loaded',
  filled: 'The sample has the values of the last call',
  generate: 'Generate again',
  storing: 'Saving…',
  of: {
    draft: 'Saved',
    settings: 'From the sample payload in the settings',
    names: 'Generated from names and types',
  },
  storeFailed: 'The sample values were not saved',
  unsavedDraft: 'The draft has changes that could not be saved. Save them first.',
  tryAgain: 'Save again',
} as const
