export const presenceWords = {
  here: 'Also here',
  at: (name: string, steps: readonly string[]) =>
    steps.length === 0 ? name : `${name}, at ${steps.map((step) => `“${step}”`).join(' and ')}`,
  hasOpen: (name: string) => `${name} has this step open`,
  more: (count: number) => `+${count}`,
} as const
