/** The pages of an organization in the builder; its first one depends on the role. */
export function organizationPath(slug: string): string {
  return `/o/${slug}`
}

/** The inbox of an organization in the builder. */
export function reviewsPath(slug: string): string {
  return `${organizationPath(slug)}/reviews`
}

/**
 * The inbox without JavaScript, of all organizations of a user. Without a filter, its address leads into the builder.
 */
export const PLAIN_INBOX_PATH = '/reviews?status=open'
