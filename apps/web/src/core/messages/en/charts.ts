/** Texts of charts. */
export const chartWords = {
  bars: (chart: string) => `${chart}: values`,
  notEnded: 'Still running',
  soFar: 'so far',
  total: 'Total',
  totalOf: (value: string) => `total ${value}`,
  view: (chart: string) => `${chart}: view`,
} as const
