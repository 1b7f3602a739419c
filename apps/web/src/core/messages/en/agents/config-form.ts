/** Texts that every form of settings shares. */
export const formWords = {
  notSet: 'Not set',
  unsaved: 'Not saved yet: ',
  withUnit: (label: string, unit: string) => `${label} (${unit})`,
  noObject: 'Not a JSON object yet. The last valid value is kept.',
  noJson: (why: string) => `Not valid JSON yet. The last valid value is kept. ${why}`,
  contested: (label: string) => `“${label}” was also changed by somebody else`,
  contestedDetail:
    'Their value was saved while your text was not valid yet. Yours replaces it when you save.',
  actions: (name: string) => `Actions for ${name}`,
  up: 'Move up',
  down: 'Move down',
  moved: (name: string, place: number) => `${name} is now number ${place}`,
  duplicate: 'Duplicate',
  remove: 'Remove',
} as const
