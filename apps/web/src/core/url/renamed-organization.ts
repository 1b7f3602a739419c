/**
 * The address of a place after the slug of its organization has changed; null: the place is in no organization of that slug.
 *
 * @param href path, search and hash
 */
export function inRenamedOrganization(href: string, slug: string, newSlug: string): string | null {
  const start = `/o/${slug}`
  if (!href.startsWith(start)) return null
  const after = href.slice(start.length)
  return after === '' || '/?#'.includes(after.charAt(0)) ? `/o/${newSlug}${after}` : null
}
