/** A rule that cannot be checked, with a reason that callers of the run may read. */
export class UncheckedRule extends Error {
  override readonly name = 'UncheckedRule'
}
