import { type AgentConfig, Nullable, oneLine, type SkillId } from '@troupe/contract'
import { idText, journalStep, schemaOf } from '@troupe/durable-work'
import { Type } from 'typebox'
import type { AgentSnapshot } from '../ports/agent-catalog.ts'
import type { RunSkill } from '../ports/skills.ts'
import type { Tool, ToolOutcome } from '../ports/tool.ts'
import type { RunContext } from '../run/run-context.ts'

const LOAD = 'load_skill'
const READ = 'read_skill_file'
const MAIN_FILE = 'SKILL.md'
const TIMEOUT_MS = 10_000
const MAX_RESULT_BYTES = 64 * 1024

/** The skills of an agent in one run. */
export interface AgentSkills {
  /** The skills in the prompt; empty without skills. */
  shown: string
  tools: readonly Tool[]
  /** The tool, as long as the loaded skills allow it. */
  limited(tool: Tool): Tool
}

/** A skill under its name in the configuration; null if it no longer exists. */
interface NamedSkill {
  name: string
  skill: RunSkill | null
}

const NO_SKILLS: AgentSkills = { shown: '', tools: [], limited: (tool) => tool }

const SKILLS = journalStep(
  'skills',
  1,
  schemaOf<(RunSkill | null)[]>()(
    Type.Array(
      Nullable(
        Type.Object({
          skillId: idText<SkillId>(),
          name: Type.String(),
          version: Type.Integer(),
          description: Type.String(),
          allowedTools: Nullable(Type.Array(Type.String())),
          files: Type.Array(Type.String()),
        }),
      ),
    ),
  ),
)

/** The text of a skill that was loaded; null: it was deleted. */
const LOADED_SKILL = journalStep('loaded_skill', 1, Nullable(Type.String()))

/**
 * The skills in an agent's configuration. Their versions are a step of the journal, so a resumed job keeps those that
 * it started with.
 */
export async function openSkills(
  ctx: Pick<RunContext, 'identity' | 'services' | 'journal'>,
  { organizationId, projectId, config }: AgentSnapshot,
  keyPrefix: string,
): Promise<AgentSkills> {
  if (config.skills.length === 0) return NO_SKILLS
  const found = await ctx.journal.once(SKILLS, `${keyPrefix}skills`, () =>
    ctx.services.skills.find({ organizationId, projectId }, config.skills),
  )
  const skills = config.skills.map((named, at) => nameOf(named, found[at] ?? null))
  const loaded = new Set<RunSkill>()
  return {
    shown: promptOf(skills),
    tools: [loadTool(ctx, skills, loaded), readTool(ctx, skills)],
    limited: (tool) => ({ ...tool, refusal: () => refusalOf(tool.name, loaded) ?? tool.refusal?.() ?? null }),
  }
}

function nameOf({ slug, skill_id }: AgentConfig['skills'][number], skill: RunSkill | null): NamedSkill {
  return { name: skill?.name ?? slug ?? skill_id ?? '', skill }
}

function promptOf(skills: readonly NamedSkill[]): string {
  const lines = skills.map(({ name, skill }) =>
    skill ? `- ${name}: ${oneLine(skill.description)}` : `- ${name} (not available)`,
  )
  const rule = `Before you do what a skill is for, call ${LOAD} with its name and follow what it says.`
  return `<skills>\n${rule}\n${lines.join('\n')}\n</skills>`
}

/** Why a loaded skill does not allow a tool; null if all allow it. */
function refusalOf(tool: string, loaded: ReadonlySet<RunSkill>): string | null {
  for (const { name, allowedTools } of loaded) {
    if (allowedTools !== null && !allowedTools.includes(tool))
      return `The skill ${name} does not allow this tool.`
  }
  return null
}

const failed = (message: string): ToolOutcome => ({ ok: false, code: 'failed', message })
const gone = (name: string) => failed(`The skill ${name} no longer exists.`)

function skillTool(
  name: string,
  description: string,
  fields: Record<string, string>,
  rest: Pick<Tool, 'rebuildsState' | 'execute'>,
): Tool {
  const names = Object.keys(fields)
  return {
    name,
    description,
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(
        names.map((field) => [field, { type: 'string', description: fields[field] }]),
      ),
      required: names,
      additionalProperties: false,
    },
    idempotent: true,
    approval: null,
    timeoutMs: TIMEOUT_MS,
    maxResultBytes: MAX_RESULT_BYTES,
    problemOf(input) {
      const wrong = names.find((field) => typeof input[field] !== 'string' || input[field] === '')
      return wrong === undefined ? null : `${wrong} must be a text that is not empty.`
    },
    ...rest,
  }
}

function find(skills: readonly NamedSkill[], name: unknown): NamedSkill | ToolOutcome {
  const found = skills.find((skill) => skill.name === name)
  if (found) return found
  const names = skills.map((skill) => skill.name).join(', ')
  return failed(`There is no skill of this name. The skills are: ${names}.`)
}

function loadTool(
  ctx: Pick<RunContext, 'identity' | 'services' | 'journal'>,
  skills: readonly NamedSkill[],
  loaded: Set<RunSkill>,
): Tool {
  const description =
    'Loads the instructions of a skill. A skill may limit which tools can be called from then on.'
  return skillTool(
    LOAD,
    description,
    { name: 'The name of the skill.' },
    {
      // A resumed job loads its skills again, so that their tool limits apply.
      rebuildsState: true,
      async execute({ name }, { key }) {
        const found = find(skills, name)
        if ('ok' in found) return found
        const { skill } = found
        if (!skill) return gone(found.name)
        const text = await ctx.journal.once(LOADED_SKILL, `${key}:skill`, () =>
          ctx.services.skills.read(ctx.identity.organizationId, skill, MAIN_FILE),
        )
        if (text === null) return gone(found.name)
        loaded.add(skill)
        return { ok: true, text: `${bodyOf(text)}${otherFiles(skill)}` }
      },
    },
  )
}

function readTool(ctx: Pick<RunContext, 'identity' | 'services'>, skills: readonly NamedSkill[]): Tool {
  const fields = {
    name: 'The name of the skill.',
    path: 'The path of the file below the folder of the skill.',
  }
  return skillTool(READ, 'Reads a file of a skill.', fields, {
    rebuildsState: false,
    async execute({ name, path }) {
      const found = find(skills, name)
      if ('ok' in found) return found
      const { skill } = found
      if (!skill) return gone(found.name)
      const file = skill.files.find((one) => one === String(path).replace(/^\.\//, ''))
      if (file === undefined) return failed(`The skill ${found.name} has no text file of this path.`)
      const text = await ctx.services.skills.read(ctx.identity.organizationId, skill, file)
      return text === null ? gone(found.name) : { ok: true, text }
    },
  })
}

/** A SKILL.md without its frontmatter: name and description are already in the prompt. */
function bodyOf(text: string): string {
  const end = /^---[ \t]*\r?$/gm
  end.lastIndex = text.indexOf('\n') + 1
  return end.exec(text) ? text.slice(end.lastIndex).trimStart() : text
}

function otherFiles({ files }: RunSkill): string {
  const others = files.filter((path) => path !== MAIN_FILE)
  return others.length === 0 ? '' : `\n\nFiles of this skill, for ${READ}:\n${others.join('\n')}`
}
