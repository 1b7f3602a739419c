/** Texts that every form of settings shares. */
export const formWords = {
  notSet: 'Not set',
  withUnit: (label: string, unit: string) => `${label} (${unit})`,
  noObject: 'This is no JSON object yet, so the last valid value holds.',
  noJson: (why: string) => `This is no JSON yet, so the last valid value holds. ${why}`,
  actions: (name: string) => `Actions for ${name}`,
  up: 'Move up',
  down: 'Move down',
  moved: (name: string, place: number) => `${name} is now number ${place}`,
  duplicate: 'Duplicate',
  remove: 'Remove',
} as const
