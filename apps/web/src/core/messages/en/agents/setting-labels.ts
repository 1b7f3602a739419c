/** Labels of changed settings in lists. */
export const settingLabelWords = {
  name: 'Name',
  description: 'Description',
  config: 'Configuration',
  on: 'Takes over on',
  tool: (name: string, setting: string | null) =>
    setting === null ? `Tool ${name}` : `Tool ${name}: ${setting}`,
  rule: (stage: string, place: number) => `${stage}, rule ${place}`,
  ruleOf: (stage: string, kind: string) => `${stage}, ${kind}`,
  item: (list: string, place: number) => `${list}, number ${place}`,
  added: (item: string) => `${item}: added`,
  removed: (item: string) => `${item}: removed`,
  order: (list: string) => `${list}: order`,
  part: (whole: string, part: string) => `${whole}: ${part}`,
} as const
