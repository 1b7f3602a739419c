/** Texts about models without a price, which a budget in US dollars stops. */
export const unpricedWords = {
  refused:
    'A budget in US dollars refuses every run with a model that has no price. Enter the prices, or limit tokens instead:',
  willBeRefused:
    'Once it is saved, every run with a model that has no price is refused. Enter the prices first, or limit tokens instead:',
  models: (modelIds: readonly string[], count: number) => {
    const more = count - modelIds.length
    return more > 0 ? `${modelIds.join(', ')} and ${more} more` : modelIds.join(', ')
  },
} as const
