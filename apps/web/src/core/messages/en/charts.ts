/** Texts of charts. */
export const chartWords = {
  bars: (chart: string) => `${chart}: values`,
  notEnded: 'Still running',
  total: 'Total',
  totalOf: (value: string) => `total ${value}`,
  view: (chart: string) => `${chart}: view`,
} as const
