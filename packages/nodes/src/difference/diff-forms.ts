import type { Graph } from '@troupe/graph'
import { objectsIn } from '../definition/problems.ts'
import { formTrigger } from '../form-trigger/definition.ts'

/** A field of a form in the parts visible to visitors. */
interface FormFieldShape {
  label: string
  type: string
  required: boolean
}

/** A field that is only in one of two forms, or differs for visitors. */
export interface FormFieldDifference {
  field: string
  /** From the later form, if the field is in it. */
  label: string
  change: 'added' | 'removed' | 'required' | 'optional' | 'type' | 'label'
}

/** The access to a form. */
export interface FormAccess {
  mode: 'none' | 'basic' | 'service-login'
  /** With `basic`: the user name of visitors. */
  username: string | null
}

/** The differences between two hosted forms. */
export interface FormDifference {
  fields: FormFieldDifference[]
  /** null: there is no form. Equal if access does not change. */
  access: { before: FormAccess | null; after: FormAccess | null }
}

/** Compares the hosted forms of two graphs; null if neither has one, or nothing differs for visitors. */
export function diffForms(before: Graph, after: Graph): FormDifference | null {
  const [earlier, later] = [formIn(before), formIn(after)]
  if (earlier === null && later === null) return null
  const access = { before: earlier && accessOf(earlier), after: later && accessOf(later) }
  const fields = fieldChanges(earlier ? fieldsOf(earlier) : new Map(), later ? fieldsOf(later) : new Map())
  const isSame = JSON.stringify(access.before) === JSON.stringify(access.after)
  return isSame && fields.length === 0 ? null : { fields, access }
}

type Config = Record<string, unknown>

/** The first one is served, as in `formOfGraph`. */
function formIn({ nodes }: Graph): Config | null {
  return nodes.find(({ type }) => type === formTrigger.type)?.config ?? null
}

function accessOf({ auth }: Config): FormAccess {
  const [[, given] = [0, {} as Config]] = objectsIn([auth])
  const mode = given.mode === 'basic' || given.mode === 'service-login' ? given.mode : 'none'
  const username = mode === 'basic' && typeof given.username === 'string' ? given.username : null
  return { mode, username }
}

function fieldsOf({ fields }: Config): Map<string, FormFieldShape> {
  return new Map(
    objectsIn(fields).flatMap(([, { name, label, type, required }]) =>
      typeof name === 'string'
        ? [
            [
              name,
              {
                label: typeof label === 'string' ? label : name,
                type: typeof type === 'string' ? type : 'text',
                required: required === true,
              },
            ],
          ]
        : [],
    ),
  )
}

/** One row per field, the most severe change for visitors first. */
function fieldChanges(
  before: ReadonlyMap<string, FormFieldShape>,
  after: ReadonlyMap<string, FormFieldShape>,
): FormFieldDifference[] {
  const changes: FormFieldDifference[] = []
  for (const [field, { label, type, required }] of after) {
    const old = before.get(field)
    const change = !old
      ? 'added'
      : old.type !== type
        ? 'type'
        : old.required !== required
          ? required
            ? 'required'
            : 'optional'
          : old.label !== label
            ? 'label'
            : null
    if (change !== null) changes.push({ field, label, change })
  }
  for (const [field, { label }] of before) {
    if (!after.has(field)) changes.push({ field, label, change: 'removed' })
  }
  return changes
}
