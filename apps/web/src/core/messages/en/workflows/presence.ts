const joined = (names: readonly string[]) =>
  new Intl.ListFormat('en', { style: 'long', type: 'conjunction' }).format(names)

export const presenceWords = {
  here: 'Also here',
  others: (count: number) => (count === 1 ? '1 other person is here' : `${count} other people are here`),
  at: (steps: readonly string[]) => `at ${joined(steps.map((step) => `“${step}”`))}`,
  noStep: 'no step open',
  haveOpen: (names: readonly string[]) =>
    names.length > 3
      ? `${names.length} people have this step open`
      : `${joined(names)} ${names.length === 1 ? 'has' : 'have'} this step open`,
  more: (count: number) => `+${count}`,
} as const
