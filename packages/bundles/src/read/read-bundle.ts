import {
  BundleAgent,
  BundleApiKey,
  BundleBudget,
  BundleCredential,
  BundleKnowledgeBase,
  BundleLlmConfiguration,
  BundleMcpServer,
  BundleMember,
  BundleOrganizationShell,
  BundlePhoneNumber,
  BundlePhoneTrunk,
  BundleProject,
  BundleShell,
  BundleSkill,
  BundleTeam,
  BundleVoiceConfiguration,
  BundleWorkflow,
  type FieldError,
  isJsonObject,
  propertyOf,
  type Validate,
  validator,
} from '@troupe/contract'
import type { Item, OrganizationItem } from './bundle-items.ts'
import { addDuplicates } from './find-duplicates.ts'
import type { LineIndex } from './line-index.ts'
import { parseText } from './parse-text.ts'
import type { BundleProblem } from './problem.ts'
import { ProblemList } from './problem-list.ts'
import type { Variables } from './variables.ts'

/** A bundle checked without the database. */
export interface ReadBundle {
  organizations: readonly OrganizationItem[]
  lines: LineIndex
  /** The problems so far; later stages add to them. */
  problems: readonly BundleProblem[]
}

const checkBundle = validator(BundleShell)
const checkOrganization = validator(BundleOrganizationShell)
const checkProject = validator(BundleProject)
const checkMember = validator(BundleMember)
const checkApiKey = validator(BundleApiKey)
const checkLlmConfiguration = validator(BundleLlmConfiguration)
const checkCredential = validator(BundleCredential)
const checkKnowledgeBase = validator(BundleKnowledgeBase)
const checkMcpServer = validator(BundleMcpServer)
const checkSkill = validator(BundleSkill)
const checkAgent = validator(BundleAgent)
const checkVoiceConfiguration = validator(BundleVoiceConfiguration)
const checkTrunk = validator(BundlePhoneTrunk)
const checkPhoneNumber = validator(BundlePhoneNumber)
const checkTeam = validator(BundleTeam)
const checkWorkflow = validator(BundleWorkflow)
const checkBudget = validator(BundleBudget)

/** Reads a bundle and checks everything that needs no database. Problems are values here, never thrown. */
export function readBundle(text: string, variables: Variables): ReadBundle {
  const { value, lines, problems: faults } = parseText(text, variables)
  const problems = new ProblemList(lines, faults)
  const organizations: OrganizationItem[] = []
  if (value !== undefined) {
    const checked = checkBundle(value)
    if (!isJsonObject(value)) problems.add('', 'must be an object with apiVersion and organizations')
    else if (!checked.ok) addAll(problems, checked.errors)
    const list = propertyOf(value, 'organizations')
    for (const [index, organization] of (Array.isArray(list) ? list : []).entries()) {
      const item = readOrganization({ path: `organizations.${index}`, value: organization }, problems)
      if (item) organizations.push(item)
    }
  }
  addDuplicates(organizations, problems)
  return { organizations, lines, problems: problems.found }
}

/** Null for an organization without a usable slug or id; its parts are still checked. */
function readOrganization({ path, value }: Item<unknown>, problems: ProblemList): OrganizationItem | null {
  const checked = checkOrganization(value, path)
  const errors = checked.ok ? [] : checked.errors
  addAll(problems, errors)
  if (errors.some((error) => error.path === path)) return null
  // An organization with problems is never written; the cast only lets its parts be checked as well.
  const item = { path, value: withCanonicalId(value as BundleOrganizationShell) }

  const broken: unknown[] = []
  const items = <T>(name: keyof BundleOrganizationShell, validate: Validate<T>) => {
    const { valid, invalid } = checkItems(validate, item.value[name], `${path}.${name}`, problems)
    for (const part of invalid) broken.push(propertyOf(part, 'slug'))
    return valid
  }
  const organization = {
    ...item,
    projects: items('projects', checkProject),
    members: items('members', checkMember).map(withCanonicalEmail),
    apiKeys: items('apiKeys', checkApiKey),
    llmConfigurations: items('llmConfigurations', checkLlmConfiguration),
    credentials: items('credentials', checkCredential),
    knowledgeBases: items('knowledgeBases', checkKnowledgeBase),
    skills: items('skills', checkSkill),
    mcpServers: items('mcpServers', checkMcpServer),
    agents: items('agents', checkAgent),
    voiceConfigurations: items('voiceConfigurations', checkVoiceConfiguration),
    trunks: items('trunks', checkTrunk),
    phoneNumbers: items('phoneNumbers', checkPhoneNumber),
    teams: items('teams', checkTeam),
    workflows: items('workflows', checkWorkflow),
    budgets: items('budgets', checkBudget),
    brokenSlugs: new Set(broken.filter((slug) => slug !== undefined)),
  }
  const addressable = errors.every((error) => error.path !== `${path}.slug` && error.path !== `${path}.id`)
  return addressable ? organization : null
}

function checkItems<T>(validate: Validate<T>, list: unknown, path: string, problems: ProblemList) {
  const valid: Item<T>[] = []
  const invalid: unknown[] = []
  for (const [index, value] of (Array.isArray(list) ? list : []).entries()) {
    const place = `${path}.${index}`
    const checked = validate(value, place)
    if (checked.ok) {
      valid.push({ path: place, value: withCanonicalId(checked.value) })
    } else {
      addAll(problems, checked.errors)
      invalid.push(value)
    }
  }
  return { valid, invalid }
}

/** The database writes ids in lower case, so ids are compared in lower case. */
function withCanonicalId<T>(value: T): T {
  const id = propertyOf(value, 'id')
  return typeof id === 'string' ? { ...value, id: id.toLowerCase() } : value
}

/** Addresses are compared in lower case. */
function withCanonicalEmail({ path, value }: Item<BundleMember>): Item<BundleMember> {
  return { path, value: { ...value, email: value.email.toLowerCase(), name: value.name.trim() } }
}

function addAll(problems: ProblemList, errors: readonly FieldError[]): void {
  for (const { path, message } of errors) problems.add(path, message)
}
