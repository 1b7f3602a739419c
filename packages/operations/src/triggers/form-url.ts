/** The address of a hosted form. */
export function formUrl(publicUrl: string, token: string): string {
  return `${publicUrl}/forms/${token}`
}
