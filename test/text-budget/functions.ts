import { KnowledgeChunkId, KnowledgeDocumentId, newId } from '@troupe/contract'
import { withoutBrokenEscapes } from '@troupe/http/broken-escapes'
import { requestIdOf } from '@troupe/http/ids/request-id'
import { OperatorToken } from '@troupe/http/operator-token'
import { redact } from '@troupe/operations/audit/redact'
import { acceptedName } from '@troupe/operations/forms/upload-form-file'
import { explainSignature } from '@troupe/operations/listeners/explain-signature'
import { readSkill } from '@troupe/operations/skills/files/read-skill'
import { containsText } from '@troupe/operations/test-cases/contains-text'
import { nextPath } from '@troupe/server-html/paths/next-path'
import { parseFormBody } from '@troupe/server-html/rendering/form-body'
import { postedDecision } from '@troupe/server-html/reviews/posted-decision'
import { basicCredentials } from '../../apps/server/src/access/form-passwords.ts'
import { withoutContents } from '../../apps/voice-worker/src/config/log-contents.ts'
import { callGreeting } from '../../apps/voice-worker/src/voicemail/call-greeting.ts'
import { injectionScore } from '../../packages/agents/src/guardrails/injection/injection-score.ts'
import { findPii } from '../../packages/agents/src/guardrails/pii/find-pii.ts'
import { checkMaxLength } from '../../packages/agents/src/guardrails/rules/max-length.ts'
import { withoutSpans } from '../../packages/agents/src/guardrails/rules/spans.ts'
import { memoriesBlock } from '../../packages/agents/src/memory/recall.ts'
import { CitedPassages } from '../../packages/agents/src/run/cited-passages.ts'
import { taskTable } from '../../packages/agents/src/team/plan/plan-summary.ts'
import { readSubmittedPlan } from '../../packages/agents/src/team/plan/read-plan.ts'
import { promptBlock } from '../../packages/agents/src/team/prompts/blocks.ts'
import { readArguments } from '../../packages/agents/src/tools/read-arguments.ts'
import { MAX_RESULT_BYTES, shorten } from '../../packages/agents/src/tools/shorten.ts'
import { deriveSlug } from '../../packages/bundles/src/export/derive-slug.ts'
import { selectItems } from '../../packages/bundles/src/export/select-items.ts'
import { LineIndex } from '../../packages/bundles/src/read/line-index.ts'
import { escapeVariables, interpolate } from '../../packages/bundles/src/read/variables.ts'
import { mergeAgentConfig } from '../../packages/contract/src/agents/config/check.ts'
import { httpPlan } from '../../packages/contract/src/agents/config/http-tool.ts'
import { schemaExcess } from '../../packages/contract/src/agents/config/schema-excess.ts'
import { DomainError } from '../../packages/contract/src/errors/domain-error.ts'
import { modelKindOf } from '../../packages/contract/src/models/model-kind.ts'
import { toolContextErrors } from '../../packages/contract/src/runs/tool-context.ts'
import { checkedId, OrganizationId, RunId } from '../../packages/contract/src/schema/ids.ts'
import { jsonBytes } from '../../packages/contract/src/schema/json-bytes.ts'
import { oneLine, withoutHidden } from '../../packages/contract/src/schema/one-line.ts'
import { OPERATORS } from '../../packages/contract/src/schema/operators.ts'
import { slugOf } from '../../packages/contract/src/schema/slug.ts'
import { isSecretName, redactText } from '../../packages/contract/src/secrets/secret-texts.ts'
import { mergeTeamConfig } from '../../packages/contract/src/teams/config/check.ts'
import { changedNumbers } from '../../packages/contract/src/validation/changed-numbers.ts'
import { decimalOf, isKeptByDouble } from '../../packages/contract/src/validation/decimal.ts'
import { parseJsonBody } from '../../packages/contract/src/validation/json-body.ts'
import { JSON_BUDGET, parseJson } from '../../packages/contract/src/validation/parse-json.ts'
import { POINT_NOTATION, readTypedNumber } from '../../packages/contract/src/validation/typed-number.ts'
import { extensionOf } from '../../packages/documents/src/extractor/file-format.ts'
import { unreadableFile } from '../../packages/documents/src/extractor/text-extractor.ts'
import { inputHashes } from '../../packages/graph/src/compile/input-hash.ts'
import { closest } from '../../packages/graph/src/interpolation/closest.ts'
import { resolveText, resolveValue } from '../../packages/graph/src/interpolation/resolve.ts'
import { tokenize } from '../../packages/graph/src/interpolation/tokenize.ts'
import { parseCron } from '../../packages/graph/src/schedule/parse-cron.ts'
import { readSchedule } from '../../packages/graph/src/schedule/read-schedule.ts'
import { validateGraph } from '../../packages/graph/src/validation/validate-graph.ts'
import { hasTooManyLines } from '../../packages/heavy-work/src/yaml-lines.ts'
import { markdown } from '../../packages/html/src/markdown.ts'
import { html, inline, prose } from '../../packages/html/src/markup.ts'
import { readChatRequest } from '../../packages/http/src/openai-protocol/chat-request.ts'
import { judge } from '../../packages/json-schema/src/comparison/judge.ts'
import { compilePattern, patternFault } from '../../packages/json-schema/src/patterns/linear-pattern.ts'
import { parseAnswer } from '../../packages/json-schema/src/schema/json-answer.ts'
import { offeredSchema } from '../../packages/json-schema/src/schema/offered-schema.ts'
import { repairedSchema } from '../../packages/json-schema/src/schema/repaired-schema.ts'
import { schemaFaults, schemaProblems } from '../../packages/json-schema/src/schema/schema-faults.ts'
import { chunksOf } from '../../packages/knowledge/src/chunks/chunks-of.ts'
import { htmlText } from '../../packages/knowledge/src/html/html-text.ts'
import { foundMemories, memoryChange } from '../../packages/knowledge/src/memories/memory-change.ts'
import { askedTerms, searchTerms } from '../../packages/knowledge/src/search/search-terms.ts'
import { sipPhrase } from '../../packages/livekit/src/failures/sip-phrase.ts'
import { classifyError } from '../../packages/models/src/failover/classify-error.ts'
import { shownSentence } from '../../packages/models/src/failover/hide-secrets.ts'
import { retryAfterMs } from '../../packages/models/src/failover/retry-after.ts'
import { vectorsIn } from '../../packages/models/src/registry/openai-embeddings.ts'
import { parseDirectives } from '../../packages/models/src/sandbox/directives.ts'
import { choiceOptions, ranked } from '../../packages/models/src/sandbox/enum-choice.ts'
import { smallestInstance } from '../../packages/models/src/sandbox/smallest-instance.ts'
import { countWords, firstCharacters, topicsOf } from '../../packages/models/src/sandbox/words.ts'
import { withoutThoughts } from '../../packages/models/src/testing/without-thoughts.ts'
import { readClassification, systemPrompt } from '../../packages/nodes/src/classify/ask.ts'
import { NODE_TYPES } from '../../packages/nodes/src/definitions.ts'
import { OWN_KEYS } from '../../packages/nodes/src/form-trigger/field-schemas.ts'
import { readForm } from '../../packages/nodes/src/form-trigger/form.ts'
import { readSubmission } from '../../packages/nodes/src/form-trigger/submission.ts'
import { proposedValue } from '../../packages/nodes/src/human-review/proposed-value.ts'
import { nameOfToken, networkOf } from '../../packages/rate-limits/src/visitor.ts'
import { earText } from '../../packages/speech/src/ear/ear-text.ts'
import { formulaText } from '../../packages/speech/src/ear/formula-text.ts'
import { markupText } from '../../packages/speech/src/ear/spoken-markdown.ts'
import { storableJson, storableText } from '../../packages/storage/src/sql/client/storable.ts'
import { calculator } from '../../packages/tools/src/builtin/calculator.ts'
import { scrubber } from '../../packages/tools/src/context/scrub.ts'
import { textHider } from '../../packages/tools/src/credentials/text-hider.ts'
import { buildRequest } from '../../packages/tools/src/http/build-request.ts'
import { buildOperationRequest } from '../../packages/tools/src/openapi/build-operation-request.ts'
import type { OperationRequest } from '../../packages/tools/src/openapi/operation-request.ts'
import { readOperations } from '../../packages/tools/src/openapi/read-operations.ts'
import { meetsCondition } from '../../packages/tools/src/tool/approval-condition.ts'
import { safeArguments } from '../../packages/tools/src/tool/argument-names.ts'
import { traceValue } from '../../packages/workflows/src/trace/trace-value.ts'

/** A function that takes a caller's or a model's text, and the file that searches it. */
export interface TextFunction {
  /** Relative to the root of the repository; several if the work is distributed. */
  paths: readonly string[]
  name: string
  run(text: string): unknown
}

const bytes = (text: string) => Buffer.from(text)

/** The cost of refusing a text counts like its processing. */
function tolerant(work: (text: string) => unknown): (text: string) => unknown {
  return (text) => {
    try {
      return work(text)
    } catch (error) {
      return error
    }
  }
}

const row = (paths: string | string[], name: string, work: (text: string) => unknown): TextFunction => ({
  paths: [paths].flat(),
  name,
  run: tolerant(work),
})

const graph = (path: string) => `packages/graph/src/${path}`
const SUBJECT = {
  stage: 'input',
  organizationId: checkedId(OrganizationId, '00000000-0000-4000-8000-000000000000'),
  projectId: null,
  agentId: null,
  runId: checkedId(RunId, '00000000-0000-4000-8000-000000000000'),
  signal: new AbortController().signal,
  ask: async () => '',
} as const
const CALL = { id: 'call_0_0', key: 'call:0.0', signal: new AbortController().signal }
const jsonSchema = (path: string) => `packages/json-schema/src/${path}`
const knowledge = (path: string) => `packages/knowledge/src/${path}`
const nodes = (path: string) => `packages/nodes/src/${path}`
const models = (path: string) => `packages/models/src/${path}`
const agents = (path: string) => `packages/agents/src/${path}`
const pages = (path: string) => `packages/server-html/src/${path}`
const openai = (path: string) => `packages/http/src/openai-protocol/${path}`
const server = (path: string) => `apps/server/src/${path}`

const scopeOf = (text: string) => ({
  trigger: { [text]: text, text },
  upstream: () => ({ ok: true as const, value: text }),
  variables: new Map([['a', text]]),
  loop: { item: text, index: 0 },
})

const formOf = (type: string) => {
  const options = /dropdown|radio|checkboxes/.test(type) ? ['a'] : undefined
  const read = readForm({
    title: 'F',
    fields: [{ name: 'a', label: 'A', type, ...(options && { options }) }],
  })
  if (!read.ok) throw new Error(JSON.stringify(read.errors))
  return read.value
}

/** Many values of one kind below a long key: messages that each quote the path multiply the text. */
const belowKey = (text: string, value: unknown): Record<string, unknown> => ({
  [text]: Array.from({ length: text.length / 16 }, () => value),
})
/** A step that reads fields similar to those of its HTTP Request. */
const readingFields = (text: string) => {
  const names = Array.from({ length: text.length / 64 }, (_, at) => text.slice(at * 64, at * 64 + 56) + at)
  const fields = names.map((name) => ({ name, type: 'string', required: false }))
  const tokens = names.map((name) => `{{ trigger.xxx${name.slice(3)} }}`)
  const common = { parentId: null, position: { x: 0, y: 0 } }
  return {
    nodes: [
      { ...common, id: 't', name: 't', type: 'http-request', config: { fields } },
      { ...common, id: 'a', name: 'a', type: 'ai-prompt', config: { prompt: tokens.join('') } },
    ],
    edges: [{ id: 'e', source: 't', sourceHandle: 'out', target: 'a' }],
  }
}
/** The errors as a response has them. */
const told = (result: unknown) => JSON.stringify(result)

const PATTERN = compilePattern('[\\w.]+@(?:[a-z]+\\.)+[a-z]{2,}|(?i)refund.*order|\\d{4}-\\d\\d$')
const FORMATS = [
  'date-time', 'date', 'time', 'duration', 'email', 'idn-email', 'hostname', 'idn-hostname', 'ipv4', 'ipv6', 'uri',
  'uri-reference', 'iri', 'iri-reference', 'uri-template', 'json-pointer', 'relative-json-pointer', 'regex', 'uuid',
] // biome-ignore format: a list of formats
const PLANNED = httpPlan({
  ...{ type: 'http', name: 'a', method: 'POST', url: 'https://a.test/{a}?q={a}', headers: { 'x-a': '{a}' } },
  ...{ body: { a: 'x {a}' }, input_schema: { type: 'object', properties: { a: {}, b: {} } } },
})
if (!PLANNED.ok) throw new Error(JSON.stringify(PLANNED.errors))
const HTTP_PLAN = PLANNED.plan
/** One operation with a form and one with files, each with a parameter in every location. */
const OPERATIONS_OF_FORMS = ['application/x-www-form-urlencoded', 'multipart/form-data'].map(
  (type): OperationRequest => {
    const parameters = ['path', 'query', 'header', 'cookie'].map((place) => ({
      name: `${place}a`,
      in: place,
      schema: {},
      ...(place === 'query' ? { allowReserved: true } : {}),
    }))
    const properties = {
      text: {},
      ...(type.startsWith('multipart') ? { file: { type: 'string', format: 'binary' } } : {}),
    }
    const post = { parameters, requestBody: { content: { [type]: { schema: { properties } } } } }
    const document = {
      openapi: '3.1.0',
      servers: [{ url: 'https://a.test' }],
      paths: { '/{patha}': { post } },
    }
    const read = readOperations({ text: JSON.stringify(document), address: null, allowed: null })
    const [operation] = read.ok ? read.operations : []
    if (!operation) throw new Error(JSON.stringify(read))
    return operation
  },
)
const MEMBERS = [{ label: 'm1', key: 'm1' }] as never

/** Every function of the product that takes a caller's or a model's text, and does more than pass it on. */
export const TEXT_FUNCTIONS: readonly TextFunction[] = [
  row('packages/heavy-work/src/yaml-lines.ts', 'hasTooManyLines', hasTooManyLines),
  row([graph('interpolation/tokenize.ts'), graph('interpolation/token-path.ts')], 'tokenize', tokenize),
  row([graph('interpolation/lookup.ts'), graph('interpolation/resolve.ts')], 'resolveText', (text) => [
    resolveText(`{{ trigger.text }} ${text} {{ trigger.${text} }}`, scopeOf(text)),
    resolveValue({ a: text, b: '{{ loop.item }}' }, scopeOf(text)),
  ]),
  row(graph('interpolation/closest.ts'), 'closest', (text) => closest(text, [text, `${text}a`, 'name'])),
  row(graph('validation/trigger-fields.ts'), 'validateGraph', (text) => told(validateGraph(readingFields(text), NODE_TYPES))),
  row(graph('compile/input-hash.ts'), 'inputHashes', (text) => inputHashes(readingFields(text))('a')),
  row('packages/operations/src/test-cases/contains-text.ts', 'containsText', (text) => [
    containsText(text, `${text.slice(0, text.length / 2)}!`),
    containsText(text + text, `${text}!`),
  ]),
  row('packages/contract/src/schema/json-bytes.ts', 'jsonBytes', (text) => jsonBytes({ [text]: text })),
  row(
    ['chunks-of', 'estimated-tokens', 'pack-blocks', 'split-blocks'].map((name) => knowledge(`chunks/${name}.ts`)),
    'chunksOf',
    (text) => [...chunksOf(text, { chunkTokens: 400, overlapTokens: 60 })].length,
  ),
  row(
    [
      'packages/speech/src/ear/ear-text.ts',
      'packages/speech/src/ear/spoken-markdown.ts',
      'packages/speech/src/ear/formula-text.ts',
    ],
    'earText',
    (text) => earText(text, 'en'),
  ),
  row('packages/speech/src/ear/formula-text.ts', 'formulaText', formulaText),
  row('packages/speech/src/ear/spoken-markdown.ts', 'markupText', (text) => markupText(text.slice(0, 20_000))),
  row(knowledge('search/search-terms.ts'), 'searchTerms', searchTerms),
  row(knowledge('search/search-terms.ts'), 'askedTerms', askedTerms),
  row(knowledge('memories/memory-change.ts'), 'memoryChange', (text) => memoryChange([{ id: '1', text }], [text])),
  row(knowledge('memories/memory-change.ts'), 'foundMemories', (text) => foundMemories([{ id: '1', text }], text, 1)),
  row(knowledge('html/html-text.ts'), 'htmlText', (text) => [...htmlText(text)].length),
  row(knowledge('memories/memory-change.ts'), 'memoryChange', (text) => {
    const texts = text.match(/.{1,500}/gsu) ?? []
    const known = texts.slice(0, 1_000).map((one, index) => ({ id: String(index), text: one }))
    return [memoryChange(known, texts), foundMemories(known, text, 20)]
  }),
  row(agents('run/cited-passages.ts'), 'citationsIn', (text) => {
    const passages = new CitedPassages()
    const ids = { chunkId: newId(KnowledgeChunkId), documentId: newId(KnowledgeDocumentId) }
    passages.restore([
      { n: 1, ...ids, documentName: 'a', page: null, url: null, quote: '' },
    ])
    return passages.citationsIn(text)
  }),
  row([graph('schedule/parse-cron.ts'), graph('schedule/zone-clock.ts')], 'parseCron', (text) => [
    parseCron(text),
    parseCron(`${text} ${text} * * *`),
    readSchedule({ mode: 'cron', cron: text, timezone: text }),
  ]),

  row(jsonSchema('patterns/pattern-size.ts'), 'patternFault', patternFault),
  row(jsonSchema('patterns/linear-pattern.ts'), 'a pattern that searches', (text) =>
    PATTERN.ok ? [PATTERN.find(text), PATTERN.matchWhole(text)] : null,
  ),
  row([jsonSchema('comparison/judge.ts'), jsonSchema('comparison/json-values.ts')], 'judge', (text) =>
    OPERATORS.flatMap((op) => [judge(op, text, text), judge(op, text, 7), judge(op, [text], text)]),
  ),
  row(jsonSchema('schema/json-answer.ts'), 'parseAnswer', (text) => [
    parseAnswer(text),
    parseAnswer(`\`\`\`json\n${text}\n\`\`\``),
    parseAnswer(`\`\`\`${text}`),
  ]),
  row(jsonSchema('schema/schema-faults.ts'), 'schemaFaults', (text) => [
    schemaFaults({ type: 'string', minLength: 3, maxLength: 99, pattern: '^[a-z]+@' }, text),
    schemaFaults({ properties: { a: { enum: ['x', 'y'] } }, additionalProperties: false }, { [text]: text }),
    schemaProblems({ description: text, pattern: text, $ref: text }, 'outputSchema'),
  ]),
  row(jsonSchema('schema/schema-faults.ts'), 'faults below a long key', (text) => [
    schemaFaults({ additionalProperties: { items: { type: 'number' } } }, belowKey(text, 'x')),
    told(schemaProblems({ properties: { [text]: { anyOf: belowKey(text, { $ref: 'x' })[text] } } }, 'outputSchema')),
  ]),
  row([jsonSchema('schema/repaired-schema.ts'), jsonSchema('schema/local-target.ts')], 'repairedSchema', (text) => [
    repairedSchema({ properties: { [text]: { $ref: text, type: text, enum: [text], pattern: text, minLength: text } } }),
    offeredSchema({ description: text, properties: { a: { $ref: `#/$defs/${text}`, format: text } }, $defs: { [text]: {} } }),
  ]),
  ...FORMATS.map((format) =>
    row(jsonSchema('schema/schema-budget.ts'), `the format ${format}`, (text) => schemaFaults({ format }, text)),
  ),
  row(nodes('classify/ask.ts'), 'classification', (text) => [
    readClassification(text),
    systemPrompt([{ id: 'a', name: text, description: text }], text),
  ]),
  ...Object.keys(OWN_KEYS).map((type) => {
    const form = formOf(type)
    return row(nodes('form-trigger/field-readers.ts'), `a field of type ${type}`, (text) => [
      readSubmission(form, { a: text }),
      readSubmission(form, { a: [text, text] }),
    ])
  }),
  row(nodes('human-review/proposed-value.ts'), 'proposedValue', (text) => proposedValue('number', [], text)),

  row([models('sandbox/directives.ts'), models('sandbox/tool-directives.ts')], 'parseDirectives', parseDirectives),
  row(models('sandbox/words.ts'), 'words', (text) => [countWords(text), topicsOf(text), firstCharacters(text, 400)]),
  row(models('sandbox/enum-choice.ts'), 'a choice', (text) =>
    ranked(choiceOptions({ enum: ['m1', text], description: text }) ?? [], topicsOf(text)),
  ),
  row([models('sandbox/smallest-instance.ts'), models('sandbox/smallest-string.ts')], 'smallestInstance', (text) => [
    smallestInstance({ type: 'array', minItems: 3, items: { type: 'string', maxLength: 500 } }, text),
    smallestInstance({ $ref: `#/${text}` }, text),
  ]),
  row(
    ['classify-error.ts', 'error-facts.ts', 'provider-body.ts', 'refused-parameter.ts'].map((file) => models(`failover/${file}`)),
    'classifyError',
    (text) => [
      classifyError({ status: 400, message: text, code: text, error: { message: `{"error":"${text}"}` }, type: text }, 0),
      classifyError(Object.assign(new Error(text), { statusCode: 400, responseBody: text }), 0),
      classifyError(Object.assign(new Error('x'), { statusCode: 400, responseBody: `<${text}` }), 0),
    ],
  ),
  row(models('registry/openai-embeddings.ts'), 'vectorsIn', (text) => vectorsIn({ data: [{ index: 0, embedding: Buffer.from(text).toString('base64').slice(0, Math.floor(text.length / 16) * 16).concat('AAAAAAAAAAAAAAAA') }] }, 1)),
  row(models('streams/thought-filter.ts'), 'withoutThoughts', (text) => [withoutThoughts(text), withoutThoughts(`<think>${text}`)]),
  row('packages/contract/src/models/model-kind.ts', 'modelKindOf', modelKindOf),
  row(models('failover/hide-secrets.ts'), 'shownSentence', (text) =>
    shownSentence(text, { credentials: { apiKey: 'hunter22' }, settings: {} }),
  ),
  row(models('failover/retry-after.ts'), 'retryAfterMs', (text) => retryAfterMs({ headers: { 'retry-after': text }, waits: [], message: text }, 0, true)),

  row('packages/contract/src/secrets/json-web-tokens.ts', 'redactText', (text) => redactText(text, ['hunter22'])),
  row(['packages/contract/src/secrets/secret-texts.ts', 'packages/workflows/src/trace/trace-value.ts'], 'traceValue', (text) => [
    isSecretName(text),
    traceValue({ [text]: text, list: [text, text] }, { names: new Set(['pin']), values: ['hunter22'] }),
  ]),

  row(agents('tools/read-arguments.ts'), 'readArguments', readArguments),
  row(agents('tools/shorten.ts'), 'shorten', (text) => shorten(text, MAX_RESULT_BYTES)),
  row(agents('memory/recall.ts'), 'memoriesBlock', (text) => memoriesBlock([text])),
  row(agents('team/prompts/blocks.ts'), 'promptBlock', (text) => promptBlock('result', text, { of: text })),
  row(['packages/agents/src/team/plan/read-plan.ts', 'packages/agents/src/team/plan/wire-shapes.ts'], 'readSubmittedPlan', (text) => {
    const task = { id: 't1', title: text, description: text, assignee: text, depends_on: [text] }
    return readSubmittedPlan({ goal: text, done_criteria: [{ id: 'c1', text }], tasks: [task] }, MEMBERS)
  }),
  row('packages/agents/src/team/plan/plan-summary.ts', 'taskTable', (text) => {
    const task = { id: 't1', title: text, status: 'done', assignee: 'm1', result: text, dependsOn: [] }
    return taskTable({ tasks: [task] } as never)
  }),

  row(['packages/contract/src/validation/changed-numbers.ts', 'packages/contract/src/validation/json-text.ts'], 'changedNumbers', (text) => [
    changedNumbers(text, Number.POSITIVE_INFINITY),
    changedNumbers(`["${text}",${'1'.repeat(text.length)}]`, 9),
    changedNumbers(`[${'12345678901234567890,'.repeat(text.length / 21)}1]`, Number.POSITIVE_INFINITY),
  ]),
  row('packages/contract/src/validation/decimal.ts', 'isKeptByDouble', (text) => [
    decimalOf(text),
    isKeptByDouble(`0.${'0'.repeat(text.length)}1`),
    isKeptByDouble(`1${'0'.repeat(text.length)}`),
  ]),
  row('packages/contract/src/validation/typed-number.ts', 'readTypedNumber', (text) =>
    readTypedNumber(text.slice(0, 400), POINT_NOTATION),
  ),
  row('packages/contract/src/validation/parse-json.ts', 'parseJson', (text) =>
    [parseJson(text, { ...JSON_BUDGET, levels: text.length, values: text.length, keyCharacters: 0 }), parseJson(`{"${text}":1}`)],
  ),
  row('packages/contract/src/validation/json-body.ts', 'parseJsonBody', (text) => [
    tolerant(() => parseJsonBody(bytes(text)))(text),
    parseJsonBody(bytes(JSON.stringify({ a: text }))),
  ]),
  row('packages/contract/src/errors/field-path.ts', 'failures below a long key', (text) => {
    const body = bytes(JSON.stringify(belowKey(text, { constructor: {} })))
    const errorsOf = (error: unknown) => (error instanceof DomainError ? error.errors : error)
    return told([
      errorsOf(tolerant(() => parseJsonBody(body))(text)),
      mergeAgentConfig(belowKey(text, { prototype: 1 })),
      mergeTeamConfig({ memory: belowKey(text, { prototype: 1 }) }),
    ])
  }),
  row('packages/contract/src/schema/one-line.ts', 'oneLine', (text) => [oneLine(text), withoutHidden(text)]),
  row('packages/tools/src/context/scrub.ts', 'scrubber', (text) =>
    scrubber({ a: text, b: [text.slice(0, 16)], c: text.slice(1) })?.(`${text} ${text}`),
  ),
  row(
    [
      'packages/operations/src/skills/files/read-skill.ts',
      'packages/operations/src/skills/files/frontmatter.ts',
      'packages/operations/src/skills/files/file-paths.ts',
    ],
    'readSkill',
    (text) => {
      const file = (path: string, content: string) => ({ path, text: content, sizeBytes: content.length, contentHash: '' })
      readSkill([file('SKILL.md', `---\nname: a\ndescription: b\nallowed-tools: c\nmetadata: ${text}\n---\n`)])
      readSkill([file('SKILL.md', `---\n${text}\n---\n`), file(text, text)])
    },
  ),
  row(
    [
      'packages/agents/src/guardrails/pii/find-pii.ts',
      'packages/agents/src/guardrails/pii/email-addresses.ts',
      'packages/agents/src/guardrails/pii/ibans.ts',
      'packages/agents/src/guardrails/pii/ip-addresses.ts',
      'packages/agents/src/guardrails/pii/digit-groups.ts',
      'packages/agents/src/guardrails/pii/numbers.ts',
    ],
    'findPii',
    (text) => findPii(text),
  ),
  row([], 'findPii of digits', (text) => findPii(text.replaceAll(/[a-z]/g, '4'))),
  row([], 'findPii of groups of digits', (text) => findPii(text.replaceAll(/[a-z]/g, '4 '))),
  row(
    ['packages/agents/src/guardrails/injection/injection-score.ts', 'packages/agents/src/guardrails/injection/signals.ts'],
    'injectionScore',
    (text) => injectionScore(`${text} ignore all `),
  ),
  row('apps/voice-worker/src/config/log-contents.ts', 'withoutContents', (text) =>
    withoutContents(`{"lk.pii.message":${JSON.stringify(text)}}\n${text}`),
  ),
  row('apps/voice-worker/src/voicemail/call-greeting.ts', 'callGreeting', (text) =>
    callGreeting(`${text} laisser ${text}`),
  ),
  row('packages/agents/src/guardrails/rules/spans.ts', 'withoutSpans', (text) => withoutSpans(text, findPii(text))),
  row('packages/agents/src/guardrails/rules/max-length.ts', 'max_length', (text) =>
    checkMaxLength({ type: 'max_length', action: 'block', max_chars: 1 }, text, SUBJECT),
  ),
  row('packages/tools/src/credentials/text-hider.ts', 'textHider', (text) =>
    textHider([text.slice(0, 40), text.slice(2, 100), text])(`${text} ${text.slice(0, -1)}x${text}`, true),
  ),
  row(['packages/tools/src/http/fill-template.ts', 'packages/tools/src/http/fill-url.ts', 'packages/tools/src/http/fill-body.ts', 'packages/tools/src/http/build-request.ts'], 'buildRequest', (text) =>
    buildRequest(HTTP_PLAN, { names: new Set(['b']), open: false }, { input: { a: text, b: [text] }, context: {} }),
  ),
  row(['packages/tools/src/openapi/write-values.ts', 'packages/tools/src/openapi/write-body.ts'], 'buildOperationRequest', (text) =>
    OPERATIONS_OF_FORMS.map((operation) => {
      const input = { patha: text, querya: { [text]: text }, headera: text, cookiea: [text], text: { [text]: text }, file: text }
      const encoded = { patha: 'a', file: `data:text/plain;base64,${text}` }
      return [input, encoded].map((one) => buildOperationRequest(operation, { input: one, context: {} }))
    }),
  ),
  row(['packages/contract/src/agents/config/template.ts', 'packages/contract/src/agents/config/url-template.ts', 'packages/contract/src/agents/config/http-tool.ts'], 'httpPlan', (text) =>
    told(httpPlan({ type: 'http', name: 'a', method: 'POST', url: `https://a.test/${text}?${text}`, headers: { a: text, [text]: 'b' }, query: belowKey(text, text.slice(0, 20)), body: [text, { [text]: text }] })),
  ),
  row('packages/tools/src/builtin/calculator.ts', 'calculator', (text) =>
    calculator().execute({ expression: text }, CALL, {}),
  ),
  row('packages/contract/src/runs/tool-context.ts', 'toolContextErrors', (text) => toolContextErrors({ [text]: text })),
  row(['packages/contract/src/agents/config/check.ts', 'packages/contract/src/validation/field-errors.ts'], 'mergeAgentConfig', (text) =>
    [
      mergeAgentConfig({ instructions: text, prompt: { timezone: text }, [text]: { [text]: text }, tools: [{ type: text }] }),
      // As many tools as fit into a caller's text.
      mergeAgentConfig({ tools: Array.from({ length: text.length / 16 }, (_, index) => ({ name: `t${index}` })) }),
    ],
  ),
  row('packages/contract/src/agents/config/schema-excess.ts', 'schemaExcess', (text) =>
    schemaExcess({ $ref: text, properties: { [text]: {} }, required: [text] }),
  ),
  row('packages/storage/src/sql/client/storable.ts', 'storable', (text) => [storableText(text), storableJson({ [text]: text })]),
  row('packages/operations/src/audit/redact.ts', 'redact', (text) => redact({ [text]: text })),
  row('packages/operations/src/listeners/explain-signature.ts', 'explainSignature', (text) =>
    explainSignature({
      ...{ signature: '0'.repeat(64), timestamp: '1', raw: Buffer.from(text), secret: 'whs_1', others: [] },
    }),
  ),
  row('packages/operations/src/forms/upload-form-file.ts', 'acceptedName', (text) =>
    acceptedName({ accept: '.pdf, .docx' } as never, text, 1),
  ),
  row('packages/documents/src/extractor/file-format.ts', 'extensionOf', extensionOf),
  row('packages/documents/src/extractor/text-extractor.ts', 'unreadableFile', (text) => unreadableFile({ filename: text })),
  row('packages/rate-limits/src/visitor.ts', 'a visitor', (text) => [networkOf(text), nameOfToken(text)]),
  row('packages/livekit/src/failures/sip-phrase.ts', 'sipPhrase', sipPhrase),
  row('packages/bundles/src/read/variables.ts', 'interpolate', (text) => [interpolate(text, { A: 'x' }), escapeVariables(text)]),
  row('packages/contract/src/schema/slug.ts', 'slugOf', (text) => slugOf(text)),
  row('packages/bundles/src/export/derive-slug.ts', 'deriveSlug', (text) => deriveSlug(text, new Set(), 'x')),
  row('packages/bundles/src/export/select-items.ts', 'selectItems', (text) => {
    const slugs = text.match(/.{1,8}/gs) ?? []
    const agents = slugs.map((slug) => ({ slug, name: 'A', config: { agent: slugs.slice(0, 3), server: slug } }))
    return selectItems({ slug: 'o', name: 'O', agents }, { include: slugs.map((slug) => `agent:${slug}`), dependencies: true })
  }),
  row('packages/bundles/src/read/line-index.ts', 'a line', (text) => new LineIndex().at(text)),

  row(['packages/html/src/markdown.ts', 'packages/html/src/bare-links.ts'], 'markdown', (text) => markdown(text)),
  row('packages/html/src/markup.ts', 'markup', (text) => [html`<b>${text}</b>`, inline(text), prose(text)]),
  row(openai('conversation.ts'), 'readChatRequest', (text) =>
    readChatRequest({
      model: 'm',
      messages: [
        { role: 'system', content: text },
        { role: 'user', content: text },
      ],
    }),
  ),
  row(pages('rendering/form-body.ts'), 'parseFormBody', (text) => parseFormBody(bytes(`a=${text}`))),
  row('packages/tools/src/tool/argument-names.ts', 'safeArguments', (text) =>
    safeArguments({ properties: { [text]: {}, [`${text}ü`]: {} }, required: [text] }).toOwn({ [text]: text }),
  ),
  row('packages/tools/src/tool/approval-condition.ts', 'meetsCondition', (text) =>
    OPERATORS.map((op) => meetsCondition({ field: 'a', op, value: text }, { a: text })),
  ),
  row(pages('reviews/posted-decision.ts'), 'postedDecision', (text) =>
    postedDecision([{ name: 'n', type: 'number' } as never], new Map([['decision', 'approve'], ['comment', text], ['name', text], ['data.n', text]])),
  ),
  row(pages('paths/next-path.ts'), 'nextPath', nextPath),
  row('packages/http/src/broken-escapes.ts', 'withoutBrokenEscapes', withoutBrokenEscapes),
  row('packages/http/src/ids/request-id.ts', 'requestIdOf', (text) => requestIdOf({ headers: { 'x-request-id': text } })),
  row('packages/http/src/operator-token.ts', 'OperatorToken', (text) => new OperatorToken('x'.repeat(40)).matches(`Bearer ${text}`)),
  row(server('access/form-passwords.ts'), 'basicCredentials', (text) => [
    basicCredentials(`Basic ${text}`),
    basicCredentials(`Basic ${bytes(text).toString('base64')}`),
  ]),
] // biome-ignore format: one row for each
