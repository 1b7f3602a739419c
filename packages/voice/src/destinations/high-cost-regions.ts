/**
 * Regions whose numbers are common targets of toll fraud, as ISO 3166 codes: they are called only if a trunk lists
 * them, even with a caller id of that region. The North American plan has 25 countries below +1, most of them here.
 */
const CARIBBEAN_AND_PACIFIC_NANP = [
  ...['AG', 'AI', 'AS', 'BB', 'BM', 'BS', 'DM', 'DO', 'GD', 'GU', 'JM', 'KN', 'KY', 'LC'],
  ...['MP', 'MS', 'PR', 'SX', 'TC', 'TT', 'VC', 'VG', 'VI'],
]
const OTHERS = [
  // Africa
  ...['AC', 'BI', 'BF', 'CD', 'CF', 'CG', 'DJ', 'ER', 'ET', 'GA', 'GM', 'GN', 'GQ', 'GW', 'KM', 'LR', 'LY'],
  ...['MG', 'ML', 'MR', 'NE', 'SC', 'SH', 'SL', 'SN', 'SO', 'SS', 'ST', 'TD', 'TG', 'TN', 'ZW'],
  // Islands of the Pacific and the Atlantic
  ...[
    'CK',
    'FJ',
    'FK',
    'FM',
    'KI',
    'MH',
    'NC',
    'NF',
    'NR',
    'NU',
    'PF',
    'PG',
    'PW',
    'SB',
    'TK',
    'TL',
    'TO',
    'TV',
  ],
  ...['VU', 'WF', 'WS', 'IO'],
  // Europe and Asia
  ...['AZ', 'BY', 'CU', 'KP', 'LA', 'MM', 'MV', 'AF', 'SM', 'HT', 'GY', 'SR'],
]

export const HIGH_COST_REGIONS: ReadonlySet<string> = new Set([...CARIBBEAN_AND_PACIFIC_NANP, ...OTHERS])
