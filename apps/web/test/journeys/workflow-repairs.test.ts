import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM, expectGood, type Journey, startJourney } from './journey.ts'
import { asOperator } from './operator.ts'
import { newWorkflow, nodesOf, storedWorkflow, workflowPath } from './workflow-steps.ts'

/** Generous: a page may be slow on a loaded machine. */
const PATIENCE_MS = 90_000
const WAIT = { timeout: 20_000, interval: 100 }

interface Repair {
  /** The label of the repair's button. */
  button: string
  /** The sentence of the fault. */
  says: string
  draft: { nodes: object[]; edges: object[] }
  /** The repaired draft: configs of steps by name, and the names at both ends of each connection. */
  configs: Record<string, object>
  ways: string[]
}

const node = (id: string, type: string, name: string, config: object) => ({ id, type, name, config })
const way = (source: string, target: string, sourceHandle = 'out') => ({
  ...{ id: `${source} ${sourceHandle} ${target}`, source, sourceHandle, target },
})
const text = (value: string) => ({ rows: [{ name: 'text', value }] })
const variable = (value: string) => ({ rows: [{ name: 'facts_total', op: 'set', value }] })

const REQUEST = node('start', 'http-request', 'Order placed', {
  fields: [
    { name: 'order', type: 'string', required: true },
    { name: 'coupon', type: 'string' },
  ],
})
const QUESTIONS = node('start', 'form-trigger', 'Order form', {
  title: 'Order',
  fields: [
    { name: 'order', label: 'Order', type: 'text', required: true },
    { name: 'coupon', label: 'Coupon', type: 'text' },
  ],
})
const FACTS = node('facts', 'edit-fields', 'Facts', { rows: [{ name: 'total', value: '3' }] })
/** Facts is skipped for an order that is called "small". */
const FORKED = {
  nodes: [
    REQUEST,
    node('fork', 'if-else', 'Is it large?', {
      conditions: [{ left: '{{ trigger.order }}', op: 'not_equals', right: 'small' }],
    }),
    FACTS,
    node('reply', 'edit-fields', 'Reply', text('It is {{ upstream.facts.output.total }}')),
  ],
  edges: [
    way('start', 'fork'),
    way('fork', 'facts', 'true'),
    way('fork', 'reply', 'false'),
    way('facts', 'reply'),
  ],
}
const straight = (start: object, value: string) => ({
  nodes: [start, node('reply', 'edit-fields', 'Reply', text(value))],
  edges: [way('start', 'reply')],
})

const REPAIRS: Record<string, Repair> = {
  'a key that the trigger does not have is replaced by the one that was meant': {
    button: 'Use trigger.order',
    says: 'Did you mean',
    draft: straight(REQUEST, 'It is {{ trigger.oder }}'),
    configs: { Reply: text('It is {{ trigger.order }}') },
    ways: ['Order placed → Reply'],
  },
  'a step that does not exist is replaced by the one that was meant': {
    button: 'Use upstream.facts.output.total',
    says: 'there is no step fact',
    draft: {
      nodes: [
        REQUEST,
        FACTS,
        node('reply', 'edit-fields', 'Reply', text('{{ upstream.fact.output.total }}')),
      ],
      edges: [way('start', 'facts'), way('facts', 'reply')],
    },
    configs: { Reply: text('{{ upstream.facts.output.total }}') },
    ways: ['Facts → Reply', 'Order placed → Facts'],
  },
  'a value that may be skipped is brought together in a Variable': {
    button: 'Merge branches in a Variable',
    says: '“Facts” may be skipped when “Reply” runs',
    draft: FORKED,
    configs: {
      Reply: text('It is {{ variables.facts_total }}'),
      'Start value': variable(''),
      'Keep result of Facts': variable('{{ upstream.facts.output.total }}'),
    },
    ways: [
      'Facts → Keep result of Facts',
      'Is it large? → Facts',
      'Is it large? → Reply',
      'Keep result of Facts → Reply',
      'Order placed → Start value',
      'Start value → Is it large?',
    ],
  },
  'a step runs only where a value that may be skipped is there': {
    button: 'Continue only if it exists',
    says: '“Facts” may be skipped when “Reply” runs',
    draft: FORKED,
    configs: {
      Reply: text('It is {{ upstream.facts.output.total }}'),
      'Does the value exist?': {
        match: 'all',
        conditions: [{ left: '{{ upstream.facts.output.total }}', op: 'exists' }],
      },
    },
    ways: [
      'Facts → Does the value exist?',
      'Is it large? → Facts',
      'Is it large? → Does the value exist?',
      'Does the value exist? → Reply',
      'Order placed → Is it large?',
    ],
  },
  'a field that a caller may leave out is required': {
    button: 'Require “coupon”',
    says: '{{ trigger.body.coupon }}:',
    draft: straight(REQUEST, 'With {{ trigger.body.coupon }}'),
    configs: {
      'Order placed': {
        fields: [
          { name: 'order', type: 'string', required: true },
          { name: 'coupon', type: 'string', required: true },
        ],
      },
    },
    ways: ['Order placed → Reply'],
  },
  'a step runs only where an optional answer of a form is filled in': {
    button: 'Continue only if it exists',
    says: '{{ trigger.body.coupon }}:',
    draft: straight(QUESTIONS, 'With {{ trigger.body.coupon }}'),
    configs: {
      'Does the value exist?': {
        match: 'all',
        conditions: [{ left: '{{ trigger.body.coupon }}', op: 'is_not_empty' }],
      },
    },
    ways: ['Does the value exist? → Reply', 'Order form → Does the value exist?'],
  },
}

describe.skipIf(CHROMIUM === null)('the repair of a token by a button', () => {
  let journey: Journey
  beforeAll(async () => {
    journey = await startJourney({})
  }, 180_000)
  afterAll(() => journey?.[Symbol.asyncDispose]())

  const read = async (workflowId: string) => {
    const workflow = await storedWorkflow(journey, workflowId)
    const nodes = nodesOf(workflow)
    const nameOf = (id: string) => nodes.find((one) => one.id === id)?.name
    const edges = workflow.draft.edges as { source: string; target: string }[]
    return {
      configs: Object.fromEntries(nodes.map(({ name, config }) => [name, config])),
      ways: edges.map(({ source, target }) => `${nameOf(source)} → ${nameOf(target)}`).sort(),
    }
  }

  for (const [what, { button, says, draft, configs, ways }] of Object.entries(REPAIRS)) {
    test(
      `${what}, and one undo reverts it`,
      async () => {
        const workflowId = await newWorkflow(journey, what.slice(0, 100), draft)
        const before = await read(workflowId)
        const window = await journey.open(
          await journey.person('member'),
          workflowPath(journey, workflowId, '?node=reply&edit=1'),
          { width: 1_440 },
        )
        const { page } = window
        const panel = page.getByRole('complementary', { name: 'Reply' })
        const fixes = panel.getByRole('group', { name: 'Ways to repair this' })
        const repair = fixes.getByRole('button', { name: button })
        await panel.getByText(says, { exact: false }).first().waitFor()
        await repair.focus()
        await page.keyboard.press('Enter')
        await page.getByText('Repaired. Undo reverts it.').first().waitFor()
        await expect.poll(() => read(workflowId), WAIT).toMatchObject({ configs, ways: ways.toSorted() })
        await repair.waitFor({ state: 'detached' })
        // The focus continues from the field that was repaired, not from the top of the page.
        await panel.getByRole('textbox', { name: 'Value', exact: true }).and(page.locator(':focus')).waitFor()
        await page.getByRole('button', { name: /^Undo/ }).first().press('Enter')
        await expect.poll(() => read(workflowId), WAIT).toEqual(before)
        await repair.waitFor()
        expect(window.faults).toEqual([])
        await window.context.close()
      },
      PATIENCE_MS,
    )
  }

  test(
    'a failed run leads to the field, whose button takes the key that the data has; the same data then passes the test',
    async () => {
      const start = node('start', 'manual-trigger', 'Start', { sample: { orders: [{ total: 3 }] } })
      const workflowId = await newWorkflow(
        journey,
        'Orders',
        straight(start, 'It is {{ trigger.orders.0.totl }}'),
      )
      const { executionId } = await asOperator<{ executionId: string }>(
        journey,
        `POST /workflows/${workflowId}/test-runs`,
        {
          ...{ draftRevision: 1, scope: { kind: 'all', nodeId: null, path: null } },
          ...{ seeds: {}, allowEffects: false, payload: { orders: [{ total: 3 }] } },
        },
      )
      const run = (id: string) => asOperator<{ status: string }>(journey, `GET /runs/${id}`)
      await expect.poll(async () => (await run(executionId)).status, WAIT).toBe('failed')
      const window = await journey.open(
        await journey.person('member'),
        `/o/${journey.slug}/runs/${executionId}`,
        { width: 1_440 },
      )
      const { page } = window
      await page.locator('mark', { hasText: '{{ trigger.orders.0.totl }}' }).waitFor()
      const keys = page.getByRole('region', { name: 'Keys of trigger.orders.0' })
      await keys.getByText('total', { exact: true }).waitFor()
      await page.getByRole('link', { name: 'Fix in the draft' }).click()
      const panel = page.getByRole('complementary', { name: 'Reply' })
      const value = panel.getByRole('textbox', { name: 'Value', exact: true })
      await value.and(page.locator(':focus')).waitFor()
      const repair = panel.getByRole('button', { name: 'Use trigger.orders.0.total' })
      await repair.waitFor()
      await expectGood(window, 'workflow-repair-1440')
      await page.setViewportSize({ width: 360, height: 740 })
      await page.getByRole('button', { name: 'Use trigger.orders.0.total' }).waitFor()
      await expectGood(window, 'workflow-repair-360')
      // Behind a sheet, the page is hidden from screen readers: the tree is that of Chromium.
      const session = await window.context.newCDPSession(page)
      const { nodes } = await session.send('Accessibility.getFullAXTree')
      const names = nodes.flatMap(({ ignored, role, name }) =>
        ignored || role?.value !== 'button' ? [] : [String(name?.value)],
      )
      expect(names).toContain('Use trigger.orders.0.total')
      expect(names).not.toContain('Review and publish')
      expect(names.filter((name) => /^Undo/.test(name))).toEqual([])
      await page.setViewportSize({ width: 1_440, height: 860 })
      await repair.press('Enter')
      await panel.getByText('It is 3', { exact: true }).waitFor()
      await expect
        .poll(() => read(workflowId), WAIT)
        .toMatchObject({ configs: { Reply: text('It is {{ trigger.orders.0.total }}') } })
      expect(window.faults).toEqual([])
    },
    PATIENCE_MS,
  )
})
