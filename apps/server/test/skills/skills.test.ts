import { randomUUID } from 'node:crypto'
import { type AgentJob, type AgentRunResult, checkedId, type Skill, SkillId } from '@troupe/contract'
import { type ZipEntry, zip } from '@troupe/documents/testing/zip'
import { edge, node } from '@troupe/test-kit/graph-parts'
import { seedWorkflow } from '@troupe/test-kit/seed-workflow'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { RunSetting } from '../runs/model-agent.ts'
import { route } from '../teams/lead-decisions.ts'
import { startTeamSetting, type TeamSetting } from '../teams/team-setting.ts'

let teams: TeamSetting
let setting: RunSetting
beforeAll(async () => {
  teams = await startTeamSetting()
  setting = teams.runs
})
afterAll(() => teams[Symbol.asyncDispose]())
beforeEach(() => setting.model.reset())

const skillMd = (name: string, body: string, more = '') =>
  `---\nname: ${name}\ndescription: Handles ${name}.\n${more}---\n${body}\n`

const upload = (body: object) => setting.server.call('POST /api/v1/skills', { body })

async function uploaded(files: Record<string, string>): Promise<Skill> {
  const { status, body } = await upload({ files })
  expect(status, JSON.stringify(body)).toBe(201)
  return body as Skill
}

const uniqueName = () => `skill-${randomUUID().slice(0, 8)}`

async function uploadZip(entries: readonly ZipEntry[]) {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(zip(entries))]), 'skill.zip')
  const { app, seed } = setting.server
  const request = new Request('http://localhost/', { method: 'POST', body: form })
  const answer = await app.inject({
    method: 'POST',
    url: '/api/v1/skills',
    headers: {
      'x-api-key': seed.keys.organization,
      'content-type': request.headers.get('content-type') ?? '',
    },
    payload: Buffer.from(await request.arrayBuffer()),
  })
  return { status: answer.statusCode, body: answer.json() as Skill & { errors?: unknown } }
}

const call = (name: string, args: object) => ({ toolCalls: [{ name, arguments: args }] })
const toolTexts = (body: unknown) =>
  ((body as AgentRunResult).messages ?? []).flatMap(({ role, content }) => (role === 'tool' ? [content] : []))
const offered = (at: number) =>
  (setting.model.requests[at]?.body.tools ?? []).map(
    ({ function: { name } }: { function: { name: string } }) => name,
  )

describe('uploads', () => {
  test('a skill has a version for each content, and its newest one is shown', async () => {
    const name = uniqueName()
    const first = await uploaded({ 'SKILL.md': skillMd(name, 'One.', 'allowed-tools: calculator\n') })
    expect(first).toMatchObject({ slug: name, version: 1, allowedTools: ['calculator'], projectId: null })
    const again = await upload({
      files: { 'SKILL.md': skillMd(name, 'One.', 'allowed-tools: calculator\n') },
    })
    expect([again.status, (again.body as Skill).version]).toEqual([200, 1])
    const second = await uploaded({ 'SKILL.md': skillMd(name, 'Two.'), 'rules/eu.md': 'Rules.' })
    expect(second).toMatchObject({ skillId: first.skillId, version: 2, allowedTools: null })
    const shown = await setting.server.call(`GET /api/v1/skills/${first.skillId}`)
    expect(shown.body).toEqual(second)
    const { body } = await setting.server.call('GET /api/v1/skills?limit=100')
    expect((body as { data: Skill[] }).data).toContainEqual(second)
  })

  test('an archive is the same skill as its files', async () => {
    const name = uniqueName()
    const { skillId } = await uploaded({ 'SKILL.md': skillMd(name, 'One.') })
    const same = await uploadZip([{ name: `${name}/SKILL.md`, data: skillMd(name, 'One.') }])
    expect([same.status, same.body.skillId, same.body.version]).toEqual([200, skillId, 1])
    const next = await uploadZip([
      { name: `${name}/`, data: '' },
      { name: `${name}/SKILL.md`, data: skillMd(name, 'One.') },
      { name: `${name}/logo.png`, data: Buffer.from([0x89, 0x50, 0, 0xff]) },
    ])
    expect([next.status, next.body.version]).toEqual([201, 2])
    expect(next.body.files).toContainEqual({ path: 'logo.png', sizeBytes: 4, isText: false })
  })

  test('errors name their file and line', async () => {
    const { status, body } = await upload({ files: { 'SKILL.md': '---\nname: Refunds\nlicence: x\n---\n' } })
    expect(status).toBe(400)
    const path = 'files.SKILL.md'
    expect(body).toMatchObject({
      error: 'validation_error',
      message: expect.stringContaining('SKILL.md, line 3: licence is not a key'),
      errors: [
        { path, message: expect.stringContaining('line 3: licence') },
        { path, message: expect.stringContaining('line 2: name') },
        { path, message: 'line 1: description is required' },
      ],
    })
  })

  test('a skill without its main file is refused with its name', async () => {
    const { body } = await upload({ files: { 'rules.md': 'x' } })
    expect(body).toMatchObject({
      message: 'The skill is not valid. SKILL.md is missing.',
      errors: [{ path: 'files.SKILL.md', message: 'is missing' }],
    })
  })

  test('very many files are refused before any is read', async () => {
    const files = Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`${index}.md`, 'x']))
    const { status, body } = await upload({ files })
    expect([status, body]).toMatchObject([
      400,
      { errors: [{ path: 'files', message: expect.stringContaining('200') }] },
    ])
  })

  test('characters that cannot be stored are replaced', async () => {
    const text = skillMd(uniqueName(), 'x', 'allowed-tools: ["a\\0b"]\n')
    expect((await uploaded({ 'SKILL.md': text })).allowedTools).toEqual(['a\ufffdb'])
  })

  test.each<[string, ZipEntry[]]>([
    ['outside of its folder', [{ name: '../SKILL.md', data: 'x' }]],
    ['with an absolute path', [{ name: '/etc/passwd', data: 'x' }]],
    [
      'twice the same',
      [
        { name: 'a', data: 'x' },
        { name: 'a', data: 'y' },
      ],
    ],
    ['of more than it may inflate to', [{ name: 'SKILL.md', data: 'x'.repeat(3_000_000) }]],
    ['of a false size', [{ name: 'SKILL.md', data: 'x'.repeat(90_000), claimedSize: 10 }]],
    ['in too many entries', Array.from({ length: 401 }, (_, index) => ({ name: `${index}`, data: '' }))],
  ])('an archive with files %s is refused', async (_, entries) => {
    const { status, body } = await uploadZip(entries)
    const message = expect.stringMatching(/^The skill is not valid\. The (files of the )?archive .+\.$/)
    expect([status, body]).toMatchObject([400, { error: 'validation_error', message }])
  })

  test('two concurrent uploads of a new skill are two versions of one', async () => {
    const name = uniqueName()
    const both = await Promise.all(
      ['One.', 'Two.'].map((body) => uploaded({ 'SKILL.md': skillMd(name, body) })),
    )
    expect(new Set(both.map(({ skillId }) => skillId)).size).toBe(1)
    expect(both.map(({ version }) => version).sort()).toEqual([1, 2])
  })
})

describe('agents that name skills', () => {
  test('the prompt has names and descriptions, and the tools load the rest', async () => {
    const name = uniqueName()
    await uploaded({ 'SKILL.md': skillMd(name, '# Steps\n\nAsk first.'), 'rules/eu.md': 'Fourteen days.' })
    const { agentId } = await setting.agent({ skills: [{ slug: name }] })
    setting.model.script(
      call('load_skill', { name }),
      {
        toolCalls: [
          { name: 'read_skill_file', arguments: { name, path: 'rules/eu.md' } },
          { name: 'read_skill_file', arguments: { name, path: '../../etc/passwd' } },
          { name: 'load_skill', arguments: { name: 'other' } },
        ],
      },
      'Done.',
    )
    const { body } = await setting.run(agentId, { message: 'Refund it', include_messages: true })
    expect(JSON.stringify(setting.model.requests[0]?.body.messages)).toContain(`- ${name}: Handles ${name}.`)
    const [loaded, file, outside, unknown] = toolTexts(body)
    expect(loaded).toBe('# Steps\n\nAsk first.\n\n\nFiles of this skill, for read_skill_file:\nrules/eu.md')
    expect(file).toBe('Fourteen days.')
    expect(outside).toContain('has no text file of this path')
    expect(unknown).toContain(`The skills are: ${name}.`)
    expect((body as AgentRunResult).content).toBe('Done.')
  })

  test('a loaded skill limits the tools of the agent for the rest of the run only', async () => {
    const name = uniqueName()
    await uploaded({ 'SKILL.md': skillMd(name, 'Compute.', 'allowed-tools: calculator\n') })
    const tools = ['calculator', 'datetime'].map((builtin) => ({ type: 'builtin', builtin, name: builtin }))
    const { agentId } = await setting.agent({ tools, skills: [{ slug: name }] })
    setting.model.script(call('load_skill', { name }), call('datetime', {}), 'Done.')
    const { body } = await setting.run(agentId, { message: 'Hi', include_messages: true })
    expect(offered(0)).toEqual(['load_skill', 'read_skill_file', 'calculator', 'datetime'])
    expect(offered(1)).toEqual(['load_skill', 'read_skill_file', 'calculator'])
    expect(toolTexts(body)[1]).toContain(`The skill ${name} does not allow this tool.`)
    const { sessionId } = body as AgentRunResult
    setting.model.reset()
    await setting.run(agentId, { message: 'Again', session_id: sessionId })
    expect(offered(0)).toContain('datetime')
  })

  test('a pinned version is kept, and without one the newest is used', async () => {
    const name = uniqueName()
    const { skillId } = await uploaded({ 'SKILL.md': skillMd(name, 'Old.') })
    const pinned = await setting.agent({ skills: [{ skill_id: skillId.toUpperCase(), pinned_version: 1 }] })
    const newest = await setting.agent({ skills: [{ skill_id: skillId }] })
    await uploaded({ 'SKILL.md': skillMd(name, 'New.') })
    const seen = []
    for (const { agentId } of [pinned, newest]) {
      setting.model.script(call('load_skill', { name }), 'Done.')
      seen.push(toolTexts((await setting.run(agentId, { message: 'Hi', include_messages: true })).body)[0])
    }
    expect(seen).toEqual(['Old.\n', 'New.\n'])
  })

  test('a job of an agent loads its skills too', async () => {
    const name = uniqueName()
    await uploaded({ 'SKILL.md': skillMd(name, 'Steps.') })
    const { agentId } = await setting.agent({ skills: [{ slug: name }] })
    setting.model.script(call('load_skill', { name }), 'Done.')
    const accepted = await setting.server.call(`POST /api/v1/agents/${agentId}/run-async`, {
      body: { message: 'Hi' },
    })
    const { jobId } = accepted.body as AgentJob
    const job = () => setting.server.call(`GET /api/v1/jobs/${jobId}`)
    await expect.poll(async () => ((await job()).body as AgentJob).status).toBe('completed')
    expect(JSON.stringify(setting.model.requests[1]?.body.messages)).toContain('Steps.')
  })

  test.each<[string, object, string]>([
    ['an unknown slug', { slug: 'nobody' }, 'config.skills.0.slug'],
    ['an unknown id', { skill_id: randomUUID() }, 'config.skills.0.skill_id'],
  ])('%s is refused when the agent is saved', async (_, skill, path) => {
    const { status, body } = await setting.server.call('POST /api/v1/agents', {
      body: { name: 'Ada', config: { skills: [skill] } },
    })
    expect([status, body]).toMatchObject([
      400,
      { errors: [{ path, message: 'does not exist or is not visible here' }] },
    ])
  })

  test('a missing version, and the same skill twice, are refused', async () => {
    const slug = uniqueName()
    await uploaded({ 'SKILL.md': skillMd(slug, 'x') })
    const save = (skills: object[]) =>
      setting.server.call('POST /api/v1/agents', { body: { name: 'Ada', config: { skills } } })
    expect((await save([{ slug, pinned_version: 2 }])).body).toMatchObject({
      errors: [
        { path: 'config.skills.0.pinned_version', message: 'does not exist: the newest version is 1' },
      ],
    })
    expect((await save([{ slug }, { slug }])).body).toMatchObject({
      errors: [{ path: 'config.skills.1', message: `names a second skill ${slug}` }],
    })
  })

  test('a skill is deleted only when no agent uses it', async () => {
    const name = uniqueName()
    const { skillId } = await uploaded({ 'SKILL.md': skillMd(name, 'x') })
    const { agentId } = await setting.agent({ skills: [{ slug: name }] }, { name: 'Clerk' })
    const remove = () => setting.server.call(`DELETE /api/v1/skills/${skillId}`)
    expect(await remove()).toMatchObject({
      status: 409,
      body: { error: 'in_use', message: 'The skill is used by the agent "Clerk".' },
    })
    await setting.server.call(`PUT /api/v1/agents/${agentId}`, { body: { config: { skills: [] } } })
    expect((await remove()).status).toBe(204)
    expect((await remove()).status).toBe(404)
  })

  test('a skill that was deleted in the meantime is a tool error that names it', async () => {
    const name = uniqueName()
    const { skillId } = await uploaded({ 'SKILL.md': skillMd(name, 'x') })
    const { agentId } = await setting.agent({ skills: [{ slug: name }] })
    const { context, seed } = setting.server
    await context.database.transaction(({ write }) =>
      write.skills.delete(seed.organizationId, checkedId(SkillId, skillId)),
    )
    setting.model.script(call('load_skill', { name }), 'Done.')
    const { status, body } = await setting.run(agentId, { message: 'Hi', include_messages: true })
    expect(status).toBe(200)
    expect(toolTexts(body)[0]).toContain(`The skill ${name} no longer exists.`)
  })
})

test('a project’s skill is used by its agents only, and precedes the organization’s of the same name', async () => {
  const name = uniqueName()
  const { projectId, otherProjectId } = setting.server.seed
  await uploaded({ 'SKILL.md': skillMd(name, 'Everyone.') })
  const own = await upload({ files: { 'SKILL.md': skillMd(name, 'Ours.') }, projectId })
  expect(own.body).toMatchObject({ version: 1, projectId })
  const texts = []
  for (const project of [projectId, otherProjectId, null]) {
    const { agentId } = await setting.agent({ skills: [{ slug: name }] }, { projectId: project })
    setting.model.script(call('load_skill', { name }), 'Done.')
    texts.push(toolTexts((await setting.run(agentId, { message: 'Hi', include_messages: true })).body)[0])
  }
  expect(texts).toEqual(['Ours.\n', 'Everyone.\n', 'Everyone.\n'])
  const { status, body } = await setting.server.call('POST /api/v1/agents', {
    body: {
      name: 'Ada',
      projectId: otherProjectId,
      config: { skills: [{ skill_id: (own.body as Skill).skillId }] },
    },
  })
  expect([status, body]).toMatchObject([400, { errors: [{ path: 'config.skills.0.skill_id' }] }])
})

describe('skills of subordinate agents', () => {
  const textsOf = (call: { body: object } | undefined) => JSON.stringify(call?.body)

  test('a member loads its own, and its lead has none', async () => {
    const name = uniqueName()
    await uploaded({ 'SKILL.md': skillMd(name, 'Ask first.') })
    const team = await teams.team('handoff', {
      members: ['Ada', 'Ben'],
      memberConfig: { skills: [{ slug: name }] },
    })
    teams.play({ lead: route('m2', 'Refund it'), m2: [call('load_skill', { name }), 'Done.'] })
    expect(await teams.result(team, { message: 'Refund it' })).toMatchObject({ content: 'Done.' })
    expect(textsOf(teams.calls('m2')[0])).toContain(`- ${name}: Handles`)
    expect(textsOf(teams.calls('m2')[1])).toContain('Ask first.')
    expect(textsOf(teams.calls('lead')[0])).not.toContain(name)
  })

  test('a promoted delegating lead loads its own, and keeps its delegation tool', async () => {
    const name = uniqueName()
    await uploaded({ 'SKILL.md': skillMd(name, 'Ask first.', 'allowed-tools: []\n') })
    const leadConfig = {
      skills: [{ slug: name }],
      tools: [{ type: 'builtin', builtin: 'datetime', name: 'datetime' }],
    }
    const team = await teams.team('dynamic-delegation', { promoted: true, leadConfig })
    teams.play({ lead: [call('load_skill', { name }), 'Done.'] })
    expect(await teams.result(team, { message: 'Hi' })).toMatchObject({ content: 'Done.' })
    const [before, after] = teams
      .calls('lead')
      .map(({ body }) => (body.tools ?? []).map((one) => one.function.name))
    expect(before).toEqual(['delegate', 'load_skill', 'read_skill_file', 'datetime'])
    expect(after).toEqual(['delegate', 'load_skill', 'read_skill_file'])
    expect(textsOf(teams.calls('lead')[1])).toContain('Ask first.')
  })

  test('an agent in a workflow node loads its own', async () => {
    const name = uniqueName()
    await uploaded({ 'SKILL.md': skillMd(name, 'Ask first.') })
    const { agentId } = await setting.agent({ skills: [{ slug: name }] })
    const { organizationId } = setting.server.seed
    const graph = {
      nodes: [node('start', 'manual-trigger'), node('agent', 'ai-agent', { agentId, message: 'Hi' })],
      edges: [edge('start', 'agent')],
    }
    const id = await seedWorkflow(setting.server.context.database, { organizationId, projectId: null, graph })
    setting.model.reset()
    setting.model.script(call('load_skill', { name }), 'Done.')
    const ran = await setting.server.call(`POST /api/v1/workflows/${id}/run`, { body: { input: {} } })
    expect(ran.body).toMatchObject({ status: 'completed' })
    expect(textsOf(setting.model.requests[1])).toContain('Ask first.')
  })
})
