import { randomUUID } from 'node:crypto'
import type { AgentDetails, TeamDetails, UnsavedChanges } from '@troupe/contract/builder'
import { ChangeWatch } from '@troupe/operations/events/change-watch'
import { watchedTopics } from '@troupe/operations/events/topics'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { asMember, asOperator, type BuilderClient } from './builder-caller.ts'

let server: TestServer
let eva: Awaited<ReturnType<typeof asMember>>
let ben: typeof eva
beforeAll(async () => {
  server = await startTestServer()
  eva = await asMember(server, 'member', 'Eva')
  ben = await asMember(server, 'member', 'Ben')
})
afterAll(() => server[Symbol.asyncDispose]())

interface Seen {
  own: UnsavedChanges | null
  others: { name: string; userId: string }[]
}

const newAgent = async () =>
  (await eva.send('POST /agents', { name: 'Helper', config: {} })).body as AgentDetails
const placeOf = (agentId: string) => `/unsaved-changes/agent/${agentId}`
const seenBy = async (client: BuilderClient, agentId: string) =>
  (await client.send(`GET ${placeOf(agentId)}`)).body as Seen

const content = (instructions: string) => ({ name: 'Helper', description: null, config: { instructions } })
const editOf = ({ versionId }: { versionId: string }, instructions: string) => ({
  baseVersionId: versionId,
  mine: content(instructions),
  from: content(''),
})

async function keep(
  client: BuilderClient,
  agentId: string,
  body: { replaces: string | null; edit: object | null; changeId?: string; isOwnReplaced?: boolean },
) {
  const changeId = body.changeId ?? randomUUID()
  const { status, body: answer } = await client.send(`PUT ${placeOf(agentId)}`, { changeId, ...body })
  return { status, changeId, error: (answer as { error?: string }).error, answer }
}

describe('unsaved changes', () => {
  test('are read in another browser of their person, and replaced only by those who know them', async () => {
    const agent = await newAgent()
    const { agentId } = agent
    expect(await seenBy(eva, agentId)).toEqual({ own: null, others: [] })
    const first = await keep(eva, agentId, { replaces: null, edit: editOf(agent, 'One') })
    expect(first.status).toBe(200)
    expect((await seenBy(eva, agentId)).own).toMatchObject({
      changeId: first.changeId,
      edit: editOf(agent, 'One'),
    })
    // A browser that has not seen this edit cannot overwrite it.
    const blind = await keep(eva, agentId, { replaces: null, edit: editOf(agent, 'Blind') })
    expect([blind.status, blind.error]).toEqual([409, 'draft_conflict'])
    const second = await keep(eva, agentId, { replaces: first.changeId, edit: editOf(agent, 'Two') })
    expect(second.status).toBe(200)
    // A retry of the first write, whose response was lost; it has been replaced since.
    const late = await keep(eva, agentId, {
      replaces: null,
      edit: editOf(agent, 'One'),
      changeId: first.changeId,
    })
    expect(late.status).toBe(409)
    expect((await seenBy(eva, agentId)).own?.edit).toEqual(editOf(agent, 'Two'))
  })

  test('whose answer was lost are resent under their id, without a conflict', async () => {
    const agent = await newAgent()
    const body = { replaces: null, edit: editOf(agent, 'One'), changeId: randomUUID() }
    expect((await keep(eva, agent.agentId, body)).status).toBe(200)
    expect((await keep(eva, agent.agentId, body)).status).toBe(200)
  })

  test('name the writes that they were made from, except those that their browser knows to be stored', async () => {
    const agent = await newAgent()
    const { agentId } = agent
    const builtOn = async () => (await seenBy(eva, agentId)).own?.builtOn
    const edit = (text: string) => ({ edit: editOf(agent, text) })
    const first = await keep(eva, agentId, { replaces: null, ...edit('One') })
    expect(await builtOn()).toEqual([])
    const own = { replaces: first.changeId, isOwnReplaced: true }
    const second = await keep(eva, agentId, { ...own, ...edit('Two') })
    expect(await builtOn()).toEqual([])
    // Another browser writes, and its request arrives twice.
    const third = { replaces: second.changeId, ...edit('Three'), changeId: randomUUID() }
    for (const _ of ['sent', 'repeated']) expect((await keep(eva, agentId, third)).status).toBe(200)
    expect(await builtOn()).toEqual([second.changeId])
    const discard = await keep(eva, agentId, { replaces: third.changeId, edit: null })
    expect(await builtOn()).toEqual([third.changeId, second.changeId])
    const fourth = await keep(eva, agentId, { replaces: discard.changeId, ...edit('Four') })
    const settledAs = randomUUID()
    await eva.send(`PUT /agents/${agentId}`, {
      ...{ baseVersionId: agent.versionId, config: { instructions: 'Four' } },
      savedChanges: { changeId: fourth.changeId, settledAs },
    })
    const all = [fourth.changeId, discard.changeId, third.changeId, second.changeId]
    expect((await seenBy(eva, agentId)).own).toMatchObject({ changeId: settledAs, builtOn: all })
    let replaces: string = settledAs
    for (let at = 0; at < 100; at += 1) {
      replaces = (await keep(eva, agentId, { replaces, ...edit(String(at)) })).changeId
    }
    const kept = await builtOn()
    expect([kept?.length, kept?.at(-1)]).toEqual([100, settledAs])
  })

  test('written concurrently by two browsers are stored for one, and a conflict for the other', async () => {
    const agent = await newAgent()
    const { changeId: replaces } = await keep(eva, agent.agentId, {
      replaces: null,
      edit: editOf(agent, 'One'),
    })
    const both = await Promise.all(
      ['Left', 'Right'].map((text) => keep(eva, agent.agentId, { replaces, edit: editOf(agent, text) })),
    )
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
    // Also if nothing was stored before.
    const fresh = await newAgent()
    const first = await Promise.all(
      ['Left', 'Right'].map((text) =>
        keep(eva, fresh.agentId, { replaces: null, edit: editOf(fresh, text) }),
      ),
    )
    expect(first.map(({ status }) => status).toSorted()).toEqual([200, 409])
  })

  test('discarded in one browser are known as discarded in another one', async () => {
    const agent = await newAgent()
    const { changeId } = await keep(eva, agent.agentId, { replaces: null, edit: editOf(agent, 'One') })
    const discard = await keep(eva, agent.agentId, { replaces: changeId, edit: null })
    expect((await seenBy(eva, agent.agentId)).own).toMatchObject({ changeId: discard.changeId, edit: null })
    const resurrected = await keep(eva, agent.agentId, { replaces: changeId, edit: editOf(agent, 'One') })
    expect(resurrected.status).toBe(409)
  })

  test('are shown to other members who may build, and to nobody else', async () => {
    const agent = await newAgent()
    const { agentId } = agent
    await keep(eva, agentId, { replaces: null, edit: editOf(agent, 'Of Eva') })
    const { own, others } = await seenBy(ben, agentId)
    expect([own, others.map(({ name }) => name)]).toEqual([null, ['Eva']])
    const target = `GET ${placeOf(agentId)}/of/${eva.person.userId}`
    expect((await ben.send(target)).body).toMatchObject({ changes: { edit: editOf(agent, 'Of Eva') } })
    const none = `GET ${placeOf(agentId)}/of/${ben.person.userId}`
    expect((await eva.send(none)).body).toEqual({ changes: null })
    const vera = await asMember(server, 'viewer', 'Vera')
    expect([(await vera.send(target)).status, (await vera.send(`GET ${placeOf(agentId)}`)).status]).toEqual([
      403, 403,
    ])
    const stranger = await asMember(server, 'owner', 'Stranger', server.seed.otherOrganizationId)
    expect((await stranger.send(target)).status).toBe(404)
    expect((await asOperator(server).send(`GET ${placeOf(agentId)}`)).body).toEqual({ own: null, others: [] })
    expect((await keep(asOperator(server), agentId, { replaces: null, edit: null })).status).toBe(400)
    const paul = await asMember(server, 'member', 'Paul')
    await keep(paul, agentId, { replaces: null, edit: editOf(agent, 'Of Paul') })
    const ofPaul = `GET ${placeOf(agentId)}/of/${paul.person.userId}`
    expect((await ben.send(ofPaul)).body).toMatchObject({ changes: { edit: editOf(agent, 'Of Paul') } })
    const owner = await asMember(server, 'owner')
    const suspended = await owner.send(`PUT /members/${paul.person.userId}`, { status: 'suspended' })
    expect(suspended.status).toBe(200)
    expect((await seenBy(ben, agentId)).others.map(({ name }) => name)).toEqual(['Eva'])
    expect((await ben.send(ofPaul)).body).toEqual({ changes: null })
  })

  test('do not exist for an unknown id', async () => {
    const { agentId } = await newAgent()
    for (const id of [randomUUID(), '%20', 'x', '%F0%9F%98%80', `${randomUUID()}x`]) {
      const { status, body } = await eva.send(`GET ${placeOf(agentId)}/of/${id}`)
      expect([id, status, body]).toEqual([id, 200, { changes: null }])
    }
  })

  test('of a kind that does not exist are refused with the kinds', async () => {
    const agent = await newAgent()
    const put = { changeId: randomUUID(), replaces: null, edit: editOf(agent, 'One') }
    for (const kind of ['nope', 'AGENT', 'constructor', 'toString', '__proto__', '%00']) {
      const target = `/unsaved-changes/${kind}/${agent.agentId}`
      const requests = [eva.send(`GET ${target}`), eva.send(`PUT ${target}`, put)]
      for (const { status, body } of await Promise.all(requests)) {
        const errors = [{ path: 'kind', message: expect.stringContaining('one of: agent, team, ') }]
        expect([kind, status, body]).toMatchObject([kind, 400, { error: 'validation_error', errors }])
      }
    }
  })

  test('of a member who is removed while they are sent are refused', async () => {
    const agent = await newAgent()
    const [admin, nora] = [await asMember(server, 'admin'), await asMember(server, 'member', 'Nora')]
    const { agents } = server.context.database.read
    const { byId } = agents
    const spy = vi.spyOn(agents, 'byId').mockImplementationOnce(async (...given) => {
      const found = await byId(...given)
      expect((await admin.send(`DELETE /members/${nora.person.userId}`)).status).toBe(204)
      return found
    })
    const { status, error } = await keep(nora, agent.agentId, { replaces: null, edit: editOf(agent, 'One') })
    spy.mockRestore()
    expect([status, error]).toEqual([404, 'organization_not_found'])
  })

  test('end with the save that contains them, and newer ones stay', async () => {
    const agent = await newAgent()
    const { agentId, versionId } = agent
    const { changeId } = await keep(eva, agentId, { replaces: null, edit: editOf(agent, 'One') })
    const settledAs = randomUUID()
    const save = (baseVersionId: string, ofChange: string) =>
      eva.send(`PUT /agents/${agentId}`, {
        ...{ baseVersionId, config: { instructions: 'One' } },
        savedChanges: { changeId: ofChange, settledAs },
      })
    // A refused save ends nothing.
    expect((await save(randomUUID(), changeId)).status).toBe(409)
    const refused = { baseVersionId: versionId, config: { model: 'none' } }
    const invalid = await eva.send(`PUT /agents/${agentId}`, {
      ...refused,
      savedChanges: { changeId, settledAs },
    })
    expect(invalid.status).toBe(400)
    expect((await seenBy(eva, agentId)).own?.changeId).toBe(changeId)
    const saved = await save(versionId, changeId)
    expect(saved.status).toBe(200)
    expect((await seenBy(eva, agentId)).own).toMatchObject({ changeId: settledAs, edit: null })
    const after = saved.body as AgentDetails
    const newer = await keep(eva, agentId, { replaces: settledAs, edit: editOf(after, 'Newer') })
    expect((await save(after.versionId, changeId)).status).toBe(200)
    expect((await seenBy(eva, agentId)).own?.changeId).toBe(newer.changeId)
  })

  test('of a colleague end with a save of exactly their content, and others stay', async () => {
    const agent = await newAgent()
    const { agentId, versionId } = agent
    const edit = editOf(agent, 'Of Eva')
    // The ids of list items are kept with an edit, and are not part of its content.
    const ids = { 'config.tools': [] }
    await keep(eva, agentId, { replaces: null, edit: { ...edit, ids } })
    expect((await seenBy(eva, agentId)).own?.edit).toEqual({ ...edit, ids })
    const paula = await asMember(server, 'member', 'Paula')
    await keep(paula, agentId, { replaces: null, edit: editOf(agent, 'Of Paula') })
    const save = { baseVersionId: versionId, replace: true, ...content('Of Eva') }
    expect((await ben.send(`PUT /agents/${agentId}`, save)).status).toBe(200)
    expect((await seenBy(ben, agentId)).others.map(({ name }) => name)).toEqual(['Paula'])
    expect((await seenBy(eva, agentId)).own?.edit).toBeNull()
  })

  test('of a team end with its save and with the team', async () => {
    const [one, other] = [await newAgent(), await newAgent()]
    const lead = { managed: { instructions: 'Lead.' } }
    const members = [{ agent: one.agentId }, { agent: other.agentId }]
    const config = { mode: 'handoff', lead, members }
    const made = await eva.send('POST /teams', { name: 'Crew', config })
    expect([made.status, made.body]).toEqual([201, expect.anything()])
    const { teamId, versionId } = made.body as TeamDetails
    const target = `/unsaved-changes/team/${teamId}`
    const changeId = randomUUID()
    const mine = { name: 'Crew 2', description: null, config }
    const edit = { baseVersionId: versionId, mine, from: { ...mine, name: 'Crew' } }
    expect((await eva.send(`PUT ${target}`, { changeId, replaces: null, edit })).status).toBe(200)
    const settledAs = randomUUID()
    const save = { baseVersionId: versionId, name: 'Crew 2', savedChanges: { changeId, settledAs } }
    expect((await eva.send(`PUT /teams/${teamId}`, save)).status).toBe(200)
    expect((await eva.send(`GET ${target}`)).body).toMatchObject({ own: { changeId: settledAs, edit: null } })
    expect((await eva.send(`DELETE /teams/${teamId}`)).status).toBe(204)
    expect((await eva.send(`GET ${target}`)).status).toBe(404)
    const late = await eva.send(`PUT ${target}`, { changeId, replaces: null, edit })
    expect(late.status).toBe(404)
  })

  test('of each other kind are kept for users with the permission to change it, and end with the resource', async () => {
    const admin = await asMember(server, 'admin', 'Ada')
    const local = { sttProvider: 'local-pocketsphinx', ttsProvider: 'local-flite' }
    const skill = '---\nname: returns\ndescription: Handles returns.\n---\n# Returns\n'
    const kinds = [
      [
        'knowledge_base',
        'build',
        '/knowledge-bases',
        'knowledgeBaseId',
        { name: 'Handbook', embedding: null },
      ],
      ['skill', 'build', '/skills', 'skillId', { files: { 'SKILL.md': skill } }],
      [
        'voice_configuration',
        'manage',
        '/voice-configurations',
        'voiceConfigId',
        {
          ...{ slug: 'unsaved-voice', agentId: server.seed.agents.organization },
          ...local,
        },
      ],
      [
        'llm_configuration',
        'manage',
        '/llm-configurations',
        'llmConfigId',
        {
          ...{
            providerId: 'sandbox',
            slug: 'unsaved-llm',
            name: 'Sandbox',
            models: [{ modelId: 'sandbox-1' }],
          },
        },
      ],
      [
        'mcp_server',
        'manage',
        '/mcp-servers',
        'mcpServerId',
        {
          ...{ slug: 'unsaved-server', name: 'Tickets', url: 'https://tickets.example/mcp' },
        },
      ],
    ] as const
    for (const [kind, needs, path, idKey, body] of kinds) {
      const made = await admin.send(`POST ${path}`, body)
      expect([kind, made.status]).toEqual([kind, 201])
      const id = String((made.body as Record<string, unknown>)[idKey])
      const target = `/unsaved-changes/${kind}/${id}`
      const isForm = kind !== 'voice_configuration'
      const mine = isForm ? { name: 'Typed' } : content('Typed')
      const edit = { baseVersionId: '1', mine, from: { ...mine, name: 'Before' } }
      const changeId = randomUUID()
      const put = { changeId, replaces: null, edit }
      const byMember = (await eva.send(`PUT ${target}`, put)).status
      expect([kind, byMember]).toEqual([kind, needs === 'build' ? 200 : 403])
      expect((await eva.send(`GET ${target}`)).status).toBe(byMember)
      expect((await admin.send(`PUT ${target}`, put)).status).toBe(200)
      expect((await admin.send(`GET ${target}`)).body).toMatchObject({ own: { changeId, edit } })
      const others = await admin.send(`GET ${target}/of/${eva.person.userId}`)
      expect(others.body).toMatchObject({ changes: needs === 'build' ? { edit } : null })
      // The same id of another kind is a different resource.
      expect((await admin.send(`GET /unsaved-changes/agent/${id}`)).status).toBe(404)
      expect((await admin.send(`DELETE ${path}/${id}`)).status).toBe(204)
      expect((await admin.send(`PUT ${target}`, put)).body).toMatchObject({ error: `${kind}_not_found` })
      const thing = { organizationId: server.seed.organizationId, kind, thingId: id }
      const { find } = server.context.database.read.unsavedChanges
      expect(await find({ ...thing, userId: admin.person.userId })).toBeNull()
    }
  })

  test('of a voice end with its save', async () => {
    const admin = await asMember(server, 'admin', 'Vito')
    const made = await admin.send('POST /voice-configurations', {
      ...{ slug: 'saved-voice', agentId: server.seed.agents.organization },
      ...{ sttProvider: 'local-pocketsphinx', ttsProvider: 'local-flite' },
    })
    const { voiceConfigId, version } = made.body as { voiceConfigId: string; version: number }
    const target = `/unsaved-changes/voice_configuration/${voiceConfigId}`
    const [changeId, settledAs] = [randomUUID(), randomUUID()]
    const mine = { name: 'night-voice', description: null, config: {} }
    const edit = { baseVersionId: String(version), mine, from: { ...mine, name: 'saved-voice' } }
    await admin.send(`PUT ${target}`, { changeId, replaces: null, edit })
    const save = (given: number) =>
      admin.send(`PUT /voice-configurations/${voiceConfigId}`, {
        ...{ slug: 'night-voice', version: given, savedChanges: { changeId, settledAs } },
      })
    expect((await save(version + 1)).status).toBe(409)
    expect((await admin.send(`GET ${target}`)).body).toMatchObject({ own: { changeId } })
    expect((await save(version)).status).toBe(200)
    expect((await admin.send(`GET ${target}`)).body).toMatchObject({
      own: { changeId: settledAs, edit: null },
    })
  })

  test('that no editor could show are refused with every fault', async () => {
    const agent = await newAgent()
    const edit = {
      baseVersionId: agent.versionId,
      mine: { name: 7 },
      from: { name: 'A', description: 1, config: {} },
    }
    const { status, answer } = await keep(eva, agent.agentId, { replaces: null, edit })
    expect([status, answer]).toMatchObject([
      400,
      {
        errors: [{ path: 'edit.mine.name' }, { path: 'edit.mine.config' }, { path: 'edit.from.description' }],
      },
    ])
  })

  test('have a maximum size, and expire 90 days after their last change', async () => {
    const agent = await newAgent()
    const big = editOf(agent, 'x'.repeat(2 * 1024 * 1024))
    const { status, answer } = await keep(eva, agent.agentId, { replaces: null, edit: big })
    expect([status, answer]).toEqual([
      400,
      expect.objectContaining({ errors: [{ path: 'edit', message: 'has more than 2 MB' }] }),
    ])
    const paul = await asMember(server, 'member', 'Paul')
    const large = (one: AgentDetails) => editOf(one, 'x'.repeat(2 * 1024 * 1024 - 1024))
    for (let at = 0; at < 16; at++) {
      const one = await newAgent()
      expect((await keep(paul, one.agentId, { replaces: null, edit: large(one) })).status).toBe(200)
    }
    const over = await keep(paul, agent.agentId, { replaces: null, edit: large(agent) })
    expect(over.status).toBe(400)
    // A conflict is reported before the size limit.
    const small = await keep(paul, agent.agentId, { replaces: null, edit: editOf(agent, 'x') })
    expect(small.status).toBe(200)
    const grown = { edit: large(agent) }
    expect((await keep(paul, agent.agentId, { replaces: small.changeId, ...grown })).status).toBe(400)
    const conflict = await keep(paul, agent.agentId, { replaces: randomUUID(), ...grown })
    expect([conflict.status, conflict.error]).toEqual([409, 'draft_conflict'])
    const mia = await asMember(server, 'member', 'Mia')
    const things = await Promise.all(Array.from({ length: 20 }, newAgent))
    const atOnce = await Promise.all(
      things.map((one) => keep(mia, one.agentId, { replaces: null, edit: large(one) })),
    )
    expect(atOnce.filter(({ status }) => status === 200)).toHaveLength(16)
    expect(atOnce.filter(({ status }) => status === 400)).toHaveLength(4)
    // A discard needs no room.
    const discard = { replaces: small.changeId, edit: null }
    expect((await keep(paul, agent.agentId, discard)).status).toBe(200)
    const { unsavedChanges } = server.context.database.duties
    await keep(eva, agent.agentId, { replaces: null, edit: editOf(agent, 'Kept') })
    await unsavedChanges.sweep(new Date(Date.now() - 60_000))
    expect((await seenBy(eva, agent.agentId)).own).not.toBeNull()
    await unsavedChanges.sweep(new Date(Date.now() + 60_000))
    expect((await seenBy(eva, agent.agentId)).own).toBeNull()
    // A browser that still has its copy writes it again.
    const again = await keep(eva, agent.agentId, { replaces: randomUUID(), edit: editOf(agent, 'Kept') })
    expect(again.status).toBe(200)
  })

  test('signal their topic, and leave no entry in the audit log', async () => {
    const agent = await newAgent()
    const events: string[] = []
    const onError = (error: unknown) => events.push(String(error))
    const watch = new ChangeWatch({ database: server.context.database, onError })
    const { organizationId } = server.seed
    const topic = `unsaved:${agent.agentId}`
    const leave = watch.add({
      caller: { organizationId, projectId: null, role: 'owner', userId: null, actor: OPERATOR },
      sessionId: null,
      topics: watchedTopics(topic),
      send: (event) => events.push(event.topic ?? event.event),
      close: () => undefined,
    })
    await expect.poll(() => events.splice(0)).toEqual(['ready'])
    const owner = await asMember(server, 'owner')
    const newest = async () => ((await owner.send('GET /audit')).body as { data: object[] }).data[0]
    const before = await newest()
    await keep(eva, agent.agentId, { replaces: null, edit: editOf(agent, 'One') })
    await watch.poll()
    await expect.poll(() => events.splice(0)).toEqual([topic])
    leave()
    expect(await newest()).toEqual(before)
  })
})

const OPERATOR = { kind: 'operator', id: null, ip: null, requestId: null } as const
