/** Converts milliseconds since the epoch to the API's integer Unix seconds. */
export function seconds(milliseconds: number | null): number | null {
  return milliseconds === null ? null : Math.floor(milliseconds / 1000)
}
