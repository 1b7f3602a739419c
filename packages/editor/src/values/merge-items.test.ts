import { propertyOf } from '@troupe/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ConfigContent } from './config-content.ts'
import { type ItemIds, idsAfterChange, idsOfList } from './item-ids.ts'
import { valueAt } from './json-path.ts'
import { mergeContents } from './merge-contents.ts'

interface Item {
  type: string
  name: string
  /** Absent: all items are similar, so that a replacement may be the same item under a new name. */
  description?: string
  url?: string
  id?: string
  mine: number
  theirs: number
  both: number
}

/** One step of an edit of a list. Indexes and numbers wrap around. */
type Step =
  | { do: 'add'; at: number; number: number }
  | { do: 'remove'; at: number }
  | { do: 'move'; at: number; to: number }
  | { do: 'set'; at: number; key: 'own' | 'both'; value: number }

const place = fc.nat(20)
const value = fc.integer({ min: 1, max: 3 })
const step = (): fc.Arbitrary<Step> =>
  fc.oneof(
    fc.record({ do: fc.constant('add' as const), at: place, number: fc.nat(5) }),
    fc.record({ do: fc.constant('remove' as const), at: place }),
    fc.record({ do: fc.constant('move' as const), at: place, to: place }),
    fc.record({
      ...{ do: fc.constant('set' as const), at: place },
      ...{ key: fc.constantFrom('own' as const, 'both' as const), value },
    }),
  )
const steps = fc.array(step(), { maxLength: 6 })
const listOf = (make: (name: string) => Item) =>
  fc.nat(5).map((length) => Array.from({ length }, (_, index) => make(`tool_${index}`)))
const list = listOf(item)
const alike = listOf(blank)

function blank(name: string): Item {
  return { type: 'http', name, mine: 0, theirs: 0, both: 0 }
}

function item(name: string): Item {
  return { ...blank(name), description: `About ${name}.`, url: `https://${name}.example` }
}

function edited(items: readonly Item[], all: readonly Step[], side: 'mine' | 'theirs', make = item): Item[] {
  return all.reduce<Item[]>(
    (now, one) => {
      const at = now.length === 0 ? 0 : one.at % now.length
      const found = now[at]
      if (one.do === 'add') {
        const name = `${side}_${one.number}`
        return now.some((other) => other.name === name)
          ? now
          : now.toSpliced(one.at % (now.length + 1), 0, make(name))
      }
      if (found === undefined) return now
      if (one.do === 'remove') return now.toSpliced(at, 1)
      if (one.do === 'move') return now.toSpliced(at, 1).toSpliced(one.to % now.length, 0, found)
      return now.with(at, { ...found, [one.key === 'own' ? side : 'both']: one.value })
    },
    [...items],
  )
}

const content = (tools: readonly Item[]): ConfigContent => ({
  name: 'A',
  description: null,
  config: { tools },
})
const merge = (base: readonly Item[], mine: readonly Item[], theirs: readonly Item[]) =>
  mergeContents(content(base), content(mine), content(theirs))
const named = (items: readonly Item[], name: string) => items.find((one) => one.name === name)
const toolsIn = ({ config }: ConfigContent) => config.tools as Item[]
const namesOf = (items: readonly Item[]) => items.map(({ name }) => name)

test('two edits of a list are both in their merge, and no item is lost that nobody has removed', () => {
  fc.assert(
    fc.property(list, steps, steps, (base, myEdit, theirEdit) => {
      const [mine, theirs] = [edited(base, myEdit, 'mine'), edited(base, theirEdit, 'theirs')]
      const { content: merged, conflicts } = merge(base, mine, theirs)
      const tools = toolsIn(merged)
      const asked = new Set(
        conflicts.flatMap(({ kind, base: was }) => (kind === 'item' ? [propertyOf(was, 'name')] : [])),
      )
      for (const name of new Set(namesOf([...base, ...mine, ...theirs]))) {
        const [was, here, there, now] = [base, mine, theirs, tools].map((side) => named(side, name))
        const isRemoved = was !== undefined && (here === undefined || there === undefined)
        // Removing an item that the other side has changed is a conflict, and mine until it is decided.
        if (isRemoved && (here ?? there) && JSON.stringify(here ?? there) !== JSON.stringify(was)) {
          expect(asked.has(name)).toBe(true)
          expect(now).toEqual(here)
        } else if (isRemoved) expect(now).toBeUndefined()
        else {
          expect(now?.mine).toBe(here?.mine ?? 0)
          expect(now?.theirs).toBe(there?.theirs ?? 0)
          const [my, their, before] = [here ?? there, there ?? here, was].map((one) => one?.both)
          expect(now?.both).toBe(my === before ? their : my)
        }
      }
      expect(new Set(namesOf(tools)).size).toBe(tools.length)
      for (const { path, kind, mine: my } of conflicts) {
        if (kind !== 'order' && my !== undefined) expect(valueAt({ ...merged }, path)).toEqual(my)
      }
    }),
    { numRuns: 400 },
  )
})

test('a conflict resolved for theirs has their value, and everything else stays as merged', () => {
  fc.assert(
    fc.property(list, steps, steps, (base, myEdit, theirEdit) => {
      const sides = [base, edited(base, myEdit, 'mine'), edited(base, theirEdit, 'theirs')] as const
      const [before, mine, theirs] = [content(sides[0]), content(sides[1]), content(sides[2])]
      const { content: merged, conflicts } = mergeContents(before, mine, theirs)
      for (const { id, kind, path, base: was, mine: my, theirs: their } of conflicts) {
        const decided = toolsIn(mergeContents(before, mine, theirs, { [id]: 'theirs' }).content)
        const name = String(
          propertyOf(was, 'name') ?? valueAt({ ...merged }, path.replace(/\.\w+$/, '.name')),
        )
        const others = (tools: readonly Item[]) => tools.filter((tool) => tool.name !== name)
        if (kind === 'order') {
          expect(namesOf(decided).filter((tool) => namesOf(my as Item[]).includes(tool))).toEqual(
            namesOf(their as Item[]),
          )
          continue
        }
        expect(others(decided)).toEqual(others(toolsIn(merged)))
        if (kind === 'item') expect(named(decided, name)).toEqual(their)
        else expect(named(decided, name)?.both).toBe(their)
      }
    }),
  )
})

test('a merge with an unchanged side equals the other side', () => {
  fc.assert(
    fc.property(list, steps, (base, edit) => {
      const mine = edited(base, edit, 'mine')
      for (const merged of [merge(base, mine, base), merge(base, base, mine), merge(base, mine, mine)]) {
        expect([merged.content, merged.conflicts]).toEqual([content(mine), []])
      }
    }),
  )
})

test.each([
  ['are told apart', list, item],
  ['look alike', alike, blank],
] as const)('a merge is idempotent, so that typing continues while a conflict waits: items %s', (_, lists, make) => {
  fc.assert(
    fc.property(lists, steps, steps, (base, myEdit, theirEdit) => {
      const [mine, theirs] = [edited(base, myEdit, 'mine', make), edited(base, theirEdit, 'theirs', make)]
      const once = merge(base, mine, theirs)
      for (const from of [content(base), once.from]) {
        const again = mergeContents(from, once.content, content(theirs))
        expect(again.content).toEqual(once.content)
        expect(again.conflicts.map(({ id }) => id).toSorted()).toEqual(
          once.conflicts.map(({ id }) => id).toSorted(),
        )
      }
    }),
    { numRuns: 400 },
  )
})

test('input on top of a merge with open conflicts stays unchanged', () => {
  fc.assert(
    fc.property(list, steps, steps, steps, (base, myEdit, theirEdit, then) => {
      const theirs = edited(base, theirEdit, 'theirs')
      const { content: merged, from } = merge(base, edited(base, myEdit, 'mine'), theirs)
      const typed = edited(toolsIn(merged), then, 'mine')
      const after = toolsIn(mergeContents(from, content(typed), content(theirs)).content)
      // A contested order may be theirs alone once an item is gone.
      const byName = (items: readonly Item[]) => items.toSorted((a, b) => a.name.localeCompare(b.name))
      expect(byName(after)).toEqual(byName(typed))
    }),
    { numRuns: 400 },
  )
})

test('a colleague’s reverted change disappears, and is never kept as mine', () => {
  fc.assert(
    fc.property(list, steps, (base, theirEdit) => {
      // Both sides have changed the name: text typed in the meantime is an edit on top of an open conflict.
      const named = (name: string, tools: readonly Item[]) => ({ ...content(tools), name })
      const theirs = edited(base, theirEdit, 'theirs')
      const { content: merged, from } = mergeContents(
        content(base),
        named('Mine', base),
        named('Theirs', theirs),
      )
      const typed = { ...merged, description: 'typed' }
      const later = mergeContents(from, typed, named('Theirs', base))
      expect(later.content).toEqual({ ...named('Mine', base), description: 'typed' })
      expect(later.conflicts.map(({ path }) => path)).toEqual(['name'])
    }),
  )
})

/** An edited list with the true ids of its items, and the ids that were found by following its changes. */
interface Followed {
  items: Item[]
  truth: string[]
  ids: ItemIds
}

const PATH = 'config.tools'
const unchanged = (items: Item[]): Followed => ({
  items,
  truth: items.map((_, index) => `${index}`),
  ids: {},
})

function followed(
  from: Followed,
  all: readonly Step[],
  side: 'mine' | 'theirs',
  make: (name: string) => Item = blank,
  prefix: string = side,
): Followed {
  return all.reduce((now, one, step) => {
    const items = edited(now.items, [one], side, one.do === 'add' ? () => make(`${prefix} ${step}`) : make)
    const newId = () => `${prefix} ${step}`
    const moved = edited(labelled(now), [one], side)
    return {
      items,
      truth: moved.map(({ name }) => (now.truth.includes(name) ? name : newId())),
      ids: idsAfterChange(now.ids, content(now.items), content(items), newId),
    }
  }, from)
}

/** Items that are named by their true ids. */
const labelled = ({ truth }: Followed): Item[] => truth.map((name) => blank(name))

/** Rules of one kind, which nothing distinguishes for a merge. */
function rule(id: string): Item {
  const made = { ...blank(''), type: 'pii', id }
  // Two new items of one name would be one item, also of an empty name.
  Reflect.deleteProperty(made, 'name')
  return made
}
const rules = fc.nat(5).map((length) => Array.from({ length }, (_, index) => rule(String(index))))

test('ids follow every change of a list, including of similar items', () => {
  fc.assert(
    fc.property(rules, steps, (base, edit) => {
      const { items, truth, ids } = followed(unchanged(base), edit, 'mine', rule)
      expect(idsOfList(ids, PATH, items)).toEqual(truth)
    }),
  )
})

test('two edits of similar items are both in their merge, by the ids of the items', () => {
  fc.assert(
    fc.property(rules, steps, steps, steps, (base, before, myEdit, theirEdit) => {
      const former = followed(unchanged(base), before, 'mine', rule, 'both')
      const [mine, theirs] = [
        { ...followed(former, myEdit, 'mine', rule) },
        { ...followed(former, theirEdit, 'theirs', rule) },
      ]
      const merged = mergeContents(
        ...[content(former.items), content(mine.items), content(theirs.items)],
        {},
        { base: former.ids, mine: mine.ids, theirs: theirs.ids },
      )
      const tools = toolsIn(merged.content)
      const ids = idsOfList(merged.ids ?? {}, PATH, tools)
      const byId = (list: readonly Item[], names: readonly string[], id: string) => list[names.indexOf(id)]
      expect(new Set(ids).size).toBe(ids.length)
      for (const id of new Set([...former.truth, ...mine.truth, ...theirs.truth])) {
        const [was, here, there] = [former, mine, theirs].map(({ items, truth }) => byId(items, truth, id))
        const now = byId(tools, ids, id)
        if (was === undefined) expect(tools).toContainEqual(here ?? there)
        else if (here === undefined) expect(now).toBeUndefined()
        else if (there === undefined) {
          expect(now).toEqual(JSON.stringify(here) === JSON.stringify(was) ? undefined : here)
        } else {
          expect(now?.mine).toBe(here.mine)
          expect(now?.theirs).toBe(there.theirs === was.theirs ? here.theirs : there.theirs)
        }
      }
    }),
    { numRuns: 400 },
  )
})

test('the ids of a merge with another version are those of the items of that version', () => {
  fc.assert(
    fc.property(list, steps, steps, (base, myEdit, theirEdit) => {
      const mine = followed(unchanged(base), myEdit, 'mine', item)
      const theirs = edited(base, theirEdit, 'theirs')
      const sides = [content(base), content(mine.items), content(theirs)] as const
      const { content: merged, from, ids = {} } = mergeContents(...sides, {}, { base: {}, mine: mine.ids })
      const [tools, formers] = [toolsIn(merged), toolsIn(from)]
      for (const [index, id] of idsOfList(ids, PATH, tools).entries()) {
        const former = /^\d+$/.test(id) ? formers[Number(id)] : undefined
        const namesake = named(formers, tools[index]?.name ?? '')
        expect(former?.name).toBe(namesake?.name)
      }
    }),
    { numRuns: 400 },
  )
})
