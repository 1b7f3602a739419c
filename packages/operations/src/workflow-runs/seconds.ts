/** Milliseconds since the epoch as the whole seconds that the API tells. */
export function seconds(milliseconds: number | null): number | null {
  return milliseconds === null ? null : Math.floor(milliseconds / 1000)
}
