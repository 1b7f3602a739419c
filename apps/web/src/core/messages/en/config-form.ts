/** Texts that every form of settings shares. */
export const formWords = {
  notSet: 'Not set',
  withUnit: (label: string, unit: string) => `${label} (${unit})`,
  noJson: (why: string) => `This is no JSON yet, so the last valid value holds. ${why}`,
} as const
