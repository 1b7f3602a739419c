import { deleteWorkflow } from '@troupe/operations/publishing/delete-workflow'
import { publishWorkflow } from '@troupe/operations/publishing/publish-workflow'
import { unpublishWorkflow } from '@troupe/operations/publishing/unpublish-workflow'
import { edge, node } from '@troupe/test-kit/graph-parts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BUILDER, every, HOUR, ScheduleSetting } from './schedule-setting.ts'

let setting: ScheduleSetting
beforeAll(async () => {
  setting = await ScheduleSetting.start()
})
afterAll(() => setting[Symbol.asyncDispose]())

const says = (id: string, value: unknown) => node(id, 'edit-fields', { rows: [{ name: 'text', value }] })

describe('a scheduled run', () => {
  test('starts at the node that fired with an empty payload, and the other triggers are skipped', async () => {
    const workflowId = await setting.publish({
      nodes: [
        every('every'),
        every('yearly', { mode: 'cron', cron: '@yearly' }),
        node('start', 'manual-trigger'),
        says('say', '{{ trigger }}'),
        says('other', 'other'),
      ],
      edges: [edge('every', 'say'), edge('start', 'say'), edge('yearly', 'other')],
    })
    const planned = await setting.passNextFire(workflowId)
    const [fire] = await setting.fires(workflowId, 1)
    expect(fire).toMatchObject({ nodeId: 'every', scheduledFor: planned, outcome: 'fired', reason: null })
    expect(planned % HOUR).toBe(0)
    expect(await setting.ended(fire?.executionId)).toEqual({
      executionId: fire?.executionId,
      status: 'completed',
      output: { text: {} },
      error: null,
    })
    const { body } = await setting.server.call(`GET /api/v1/workflow-jobs/${fire?.executionId}/nodes`)
    const nodes = (body as { data: { nodeId: string; status: string }[] }).data
    expect(Object.fromEntries(nodes.map(({ nodeId, status }) => [nodeId, status]))).toMatchObject({
      every: 'completed',
      say: 'completed',
    })
    expect(nodes.filter(({ status }) => status === 'completed')).toHaveLength(2)
  })

  test('obeys the declared fields of the HTTP Request trigger: an empty payload fails it by its required fields', async () => {
    const fields = [{ name: 'orderId', type: 'string', required: true }]
    const workflowId = await setting.publish({
      nodes: [every('every'), node('http', 'http-request', { fields })],
      edges: [],
    })
    await setting.passNextFire(workflowId)
    const [fire] = await setting.fires(workflowId, 1)
    expect(fire).toMatchObject({ outcome: 'fired' })
    expect(await setting.ended(fire?.executionId)).toMatchObject({
      status: 'failed',
      output: null,
      error: 'Payload does not match the HTTP Request trigger: "orderId" is required',
    })
  })
})

describe('publishing', () => {
  test('lists the next five fires, and the outcomes of the last in the ledger', async () => {
    const config = { mode: 'interval', every: 1, unit: 'days', timezone: 'Europe/Berlin' }
    const workflowId = await setting.publish({ nodes: [every('every', config)], edges: [] })
    const [schedule] = await setting.list(workflowId)
    expect(schedule).toMatchObject({ nodeId: 'every', waitingSince: null, problem: null, fires: [] })
    expect(schedule?.nextFires).toHaveLength(5)
    const berlin = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Berlin', timeStyle: 'short' })
    for (const at of schedule?.nextFires ?? []) expect(berlin.format(new Date(at))).toBe('00:00')
    const planned = await setting.passNextFire(workflowId)
    const [fire] = await setting.fires(workflowId, 1)
    const scheduledFor = new Date(planned).toISOString()
    expect((await setting.list(workflowId))[0]?.fires).toMatchObject([
      { scheduledFor, outcome: 'fired', executionId: fire?.executionId, reason: null },
    ])
    await expect(setting.list(fire?.executionId ?? '')).rejects.toThrow('Workflow not found')
  })

  // n8n-io/n8n#30607
  test('again replaces schedules: the old version fires no more, and the new one nothing from before it', async () => {
    const workflowId = await setting.publish({
      nodes: [every('every'), says('say', 'old')],
      edges: [edge('every', 'say')],
    })
    const daily = every('daily', { mode: 'cron', cron: '30 3 * * *' })
    await setting.republish(
      workflowId,
      { nodes: [daily, says('say', 'new')], edges: [edge('daily', 'say')] },
      1,
    )
    expect((await setting.list(workflowId)).map(({ nodeId }) => nodeId)).toEqual(['daily'])
    const planned = await setting.passNextFire(workflowId, 'daily')
    const fires = await setting.fires(workflowId, 1)
    expect(fires).toMatchObject([{ nodeId: 'daily', scheduledFor: planned }])
    expect(await setting.ended(fires[0]?.executionId)).toMatchObject({ output: { text: 'new' } })
  })

  test('without a change leaves the schedule unchanged', async () => {
    const workflowId = await setting.publish({ nodes: [every('every')], edges: [] })
    const { organizationId } = setting.scope
    const stored = () => setting.parts.database.read.schedules.ofWorkflow(organizationId, workflowId as never)
    const before = await stored()
    await publishWorkflow(setting.parts, setting.scope, BUILDER, workflowId)
    expect(await stored()).toEqual(before)
  })

  test('ends with unpublishing and with deleting: nothing fires any more', async () => {
    const [one, two] = [
      await setting.publish({ nodes: [every('every')], edges: [] }),
      await setting.publish({ nodes: [every('every')], edges: [] }),
    ]
    const third = await setting.publish({ nodes: [every('every')], edges: [] })
    await unpublishWorkflow(setting.parts, setting.scope, BUILDER, one)
    await deleteWorkflow(setting.parts, setting.scope, BUILDER, two)
    expect(await setting.list(one)).toEqual([])
    await setting.passNextFire(third)
    await setting.fires(third, 1)
    for (const gone of [one, two]) await setting.fires(gone, 0)
    await publishWorkflow(setting.parts, setting.scope, BUILDER, one)
    expect(await setting.list(one)).toMatchObject([{ nodeId: 'every' }])
  })

  test.for<[string, object, string]>([
    ['an empty pattern', { mode: 'cron', cron: '' }, 'must not be empty'],
    ['no pattern', { mode: 'cron' }, 'is required when the mode is cron'],
    [
      'an unknown zone',
      { mode: 'cron', cron: '@daily', timezone: 'Mars/Base' },
      'must be an IANA time zone: Mars/Base',
    ],
    ['a pattern that never fires', { mode: 'cron', cron: '0 0 30 2 *' }, 'has no fire within 9 years'],
    ['no interval', { mode: 'interval', unit: 'days' }, 'is required when the mode is interval'],
    ['an interval of nothing', { mode: 'interval', every: 0, unit: 'days' }, 'must be at least 1'],
  ])('is refused with the problem: %s', async ([, config, message]) => {
    const refused = setting.publish({ nodes: [every('every', config)], edges: [] })
    await expect(refused).rejects.toMatchObject({
      code: 'validation_error',
      errors: [{ path: expect.stringMatching(/^nodes\.0\.config\.(cron|timezone|every)$/), message }],
    })
  })
})
