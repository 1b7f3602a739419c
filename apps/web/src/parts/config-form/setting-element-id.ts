/** The element of a setting, for links to it. */
export function settingElementId(path: string): string {
  return `setting.${path}`
}
