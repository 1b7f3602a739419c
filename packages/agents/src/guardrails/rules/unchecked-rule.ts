/** A rule could not be checked; callers of the run may read the reason. */
export class UncheckedRule extends Error {
  override readonly name = 'UncheckedRule'
}
