/** The system's clock, set forward or back by a test. */
export class MovableClock {
  offsetMs = 0

  now(): number {
    return Date.now() + this.offsetMs
  }
}
