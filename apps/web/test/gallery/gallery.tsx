import { Bot, Download, Plus, Search } from 'lucide-react'
import { useState } from 'react'
import { BarChart } from '../../src/atoms/chart/bar-chart.tsx'
import { ShareBar } from '../../src/atoms/chart/share-bar.tsx'
import { TimeBar } from '../../src/atoms/chart/time-bar.tsx'
import { TimeStrip } from '../../src/atoms/chart/time-strip.tsx'
import { CodeBlock, CodeField } from '../../src/atoms/code/code-field.tsx'
import { Button } from '../../src/atoms/controls/button.tsx'
import { CheckboxGroup, RadioGroup, Segments } from '../../src/atoms/controls/choices.tsx'
import { ComboBox } from '../../src/atoms/controls/combo-box.tsx'
import { CopyField } from '../../src/atoms/controls/copy-field.tsx'
import { NumberField } from '../../src/atoms/controls/number-field.tsx'
import { Select } from '../../src/atoms/controls/select.tsx'
import { TagField } from '../../src/atoms/controls/tag-field.tsx'
import { TextArea, TextField } from '../../src/atoms/controls/text-field.tsx'
import { LinkButton, TextLink } from '../../src/atoms/controls/text-link.tsx'
import { Checkbox, Toggle } from '../../src/atoms/controls/toggles.tsx'
import { TextDiff } from '../../src/atoms/diff/text-diff.tsx'
import { ActionCard } from '../../src/atoms/layout/action-card.tsx'
import { ChoiceList } from '../../src/atoms/layout/choice-list.tsx'
import { Disclosure } from '../../src/atoms/layout/disclosure.tsx'
import { MasterDetail } from '../../src/atoms/layout/master-detail.tsx'
import { Card, Facts, PageLayout, RowList, Section, Toolbar } from '../../src/atoms/layout/page.tsx'
import { TabBar } from '../../src/atoms/layout/tab-bar.tsx'
import { MarkdownText } from '../../src/atoms/markdown/markdown-text.tsx'
import { ActionMenu } from '../../src/atoms/overlays/menu.tsx'
import { RefusableButton } from '../../src/atoms/overlays/refusable-button.tsx'
import { Tip } from '../../src/atoms/overlays/tip.tsx'
import { Badge, DraftMark, LiveMark, Status } from '../../src/atoms/states/badge.tsx'
import { Avatar, Callout, Empty, ErrorPanel, LoadFailure, Skeleton } from '../../src/atoms/states/panels.tsx'
import { DataTable } from '../../src/atoms/table/data-table.tsx'
import { TreeView } from '../../src/atoms/tree/tree-view.tsx'
import { OverlayGallery } from './overlays.tsx'

const NOON = Date.UTC(2026, 10, 22, 12)
const LOAD_FAILURES = ['block', 'row', 'line'] as const
const STATES = [
  'queued',
  'running',
  'waiting',
  'paused',
  'completed',
  'failed',
  'cancelled',
  'warning',
] as const
const MODELS = [
  { id: 'small', label: 'Small', detail: 'Fast and cheap' },
  { id: 'large', label: 'Large', detail: 'For hard questions' },
  { id: 'none', label: 'Retired', isDisabled: true },
] as const
const ROWS = Array.from({ length: 200 }, (_, index) => ({
  id: `r${index}`,
  name: index === 3 ? `A very long name that ${'does not fit '.repeat(6)}` : `Agent ${index + 1}`,
  state: STATES[index % STATES.length] ?? 'queued',
  runs: index * 137,
}))
const MARKDOWN = `## A heading\n\nText with **strong**, *soft* and \`code\`, a [link](https://troupe.test/docs) and a [bad one](javascript:alert(1)).\n\n- one\n- two\n\n> quoted\n\n\`\`\`\nconst a = 1\n\`\`\`\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n<img src=x onerror=alert(1)> and \u202Ehidden`

/** Every atom in every state. */
export function Gallery() {
  return (
    <main>
      <PageLayout
        title="Gallery"
        mark={<LiveMark version={12} />}
        detail="Every atom in every state."
        crumbs={[{ label: 'Atoms', href: '#atoms' }]}
        actions={
          <>
            <Button icon={<Download size={16} />}>Export</Button>
            <Button emphasis="primary" icon={<Plus size={16} />}>
              Create
            </Button>
          </>
        }
      >
        <Buttons />
        <Fields />
        <Choices />
        <Section title="States">
          <Toolbar label="Statuses">
            {STATES.map((state) => (
              <Status key={state} state={state} />
            ))}
          </Toolbar>
          <Toolbar label="Badges">
            {STATES.map((state) => (
              <Status key={state} state={state} look="badge" />
            ))}
            <Badge>Neutral</Badge>
            <Badge tone="info">New</Badge>
            <LiveMark version={null} />
            <DraftMark />
            <Avatar name="Ana Ruiz" />
            <Avatar name="Acme" shape="square" />
          </Toolbar>
          <Callout>Neutral: what is below.</Callout>
          <Callout tone="info">Info: what is below.</Callout>
          <Callout tone="good">Good: what is below.</Callout>
          <Callout tone="warn">Attention: what is below.</Callout>
          <Callout tone="bad">Wrong: what is below.</Callout>
          <ErrorPanel
            title="The agent was not saved"
            message="Its name is in use."
            requestId="01a203d9-ff0e"
          />
          {LOAD_FAILURES.map((look) => (
            <LoadFailure
              key={look}
              look={look}
              title="The agents could not be loaded"
              failure={{ message: 'The server had an error.', requestId: '01a203d9-ff0e', isPassing: true }}
              onRetry={() => undefined}
            />
          ))}
          <Card>
            <Skeleton lines={4} />
          </Card>
          <Card>
            <Empty
              picture={<Bot size={22} />}
              title="No agents yet"
              actions={<Button emphasis="primary">Create an agent</Button>}
            >
              An agent is a model with instructions, tools and a memory. It answers calls of your code.
            </Empty>
          </Card>
        </Section>
        <Lists />
        <Texts />
        <OverlayGallery />
      </PageLayout>
    </main>
  )
}

function Buttons() {
  return (
    <Section title="Buttons and links">
      <Toolbar label="Buttons">
        <Button emphasis="primary">Primary</Button>
        <Button>Secondary</Button>
        <Button emphasis="quiet">Quiet</Button>
        <Button emphasis="danger">Delete</Button>
        <Button isDisabled>Disabled</Button>
        <Button emphasis="primary" isPending>
          Saving
        </Button>
        <Button size="small">Small</Button>
        <RefusableButton refusal="Only admins and owners can do this. Ask Ana.">Refused</RefusableButton>
        <Tip text="Search">
          <Button emphasis="quiet" icon={<Search size={16} />} aria-label="Search" />
        </Tip>
        <LinkButton href="#there">Link</LinkButton>
        <TextLink href="#there">A link</TextLink>
        <TextLink href="#there" look="plain">
          A plain link
        </TextLink>
        <ActionMenu
          label="More"
          groups={[
            {
              id: 'a',
              entries: [
                { id: 'b', label: 'Duplicate' },
                { id: 'c', label: 'Delete', isDanger: true },
              ],
            },
          ]}
        />
      </Toolbar>
    </Section>
  )
}

function Fields() {
  const [text, setText] = useState('Support')
  const [number, setNumber] = useState<number | null>(1_200)
  const [tags, setTags] = useState(['billing', 'urgent'])
  const [model, setModel] = useState<'small' | 'large' | 'none' | null>(null)
  return (
    <Section title="Fields" detail="Label, description and error stand at the same place everywhere.">
      <Card>
        <TextField label="Name" description="What people see." value={text} onChange={setText} />
        <TextField
          label="Slug"
          isOptional
          isMono
          value="a b"
          onChange={setText}
          error="Only letters and dashes."
        />
        <TextField label="Disabled" isDisabled value="Nothing to do" onChange={setText} />
        <TextField
          label="Filter"
          isLabelHidden
          icon={<Search size={14} />}
          placeholder="Filter"
          value=""
          onChange={() => undefined}
        />
        <TextArea
          label="Instructions"
          value={'You are a helpful agent.\nBe brief.'}
          onChange={() => undefined}
        />
        <NumberField label="Tokens" value={number} onChange={setNumber} minValue={0} />
        <Select label="Model" options={MODELS} value={model} onChange={setModel} />
        <Select
          label="Chosen model"
          options={MODELS}
          value="large"
          onChange={setModel}
          error="It is not connected."
        />
        <ComboBox
          label="Agent"
          options={MODELS}
          value={model}
          onChange={setModel}
          placeholder="Find an agent"
        />
        <TagField label="Tags" value={tags} onChange={setTags} description="Enter or a comma adds one." />
        <CopyField label="Agent id" text="01a203d9-ff0e-7157-92be-16c14f19dc5e" />
      </Card>
    </Section>
  )
}

function Choices() {
  const [isOn, setOn] = useState(true)
  const [model, setModel] = useState<'small' | 'large' | 'none'>('small')
  const [many, setMany] = useState<('small' | 'large' | 'none')[]>(['large'])
  return (
    <Section title="Choices">
      <Card>
        <Toggle isSelected={isOn} onChange={setOn} description="In force when it is saved.">
          Stream answers
        </Toggle>
        <Toggle isSelected={false} onChange={setOn} isDisabled>
          Not possible
        </Toggle>
        <Checkbox isSelected={isOn} onChange={setOn}>
          Chosen
        </Checkbox>
        <Checkbox isSelected={false} isIndeterminate onChange={setOn} description="Some of them.">
          Partly
        </Checkbox>
        <RadioGroup label="Size" options={MODELS} value={model} onChange={setModel} />
        <CheckboxGroup label="Sizes" options={MODELS} value={many} onChange={setMany} error="Choose two." />
        <Segments<'small' | 'large' | 'none'>
          label="View"
          options={MODELS}
          value={model}
          onChange={setModel}
        />
      </Card>
    </Section>
  )
}

function Lists() {
  const [tab, setTab] = useState<'rows' | 'tree'>('rows')
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set(['r1']))
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set(['a']))
  const [node, setNode] = useState<string | null>('b')
  return (
    <Section title="Lists">
      <Card flush>
        <RowList
          label="Recent"
          rows={[
            {
              id: '1',
              title: 'Support',
              detail: 'Failed 3 times',
              lead: <Status state="failed">{''}</Status>,
              end: '2 min',
              href: '#1',
            },
            { id: '2', title: 'Triage', detail: 'Waits for a review', end: '5 min', href: '#2' },
          ]}
        />
      </Card>
      <MasterDetail
        label="Waiting"
        isDetailOpen={false}
        list={
          <ChoiceList
            label="Mine"
            current="1"
            rows={[
              { id: '1', href: '#1', title: 'Refund A-1', detail: 'Review · Refunds', end: 'in 2 hours' },
              { id: '2', href: '#2', title: 'Refund A-2', detail: 'Review · Refunds' },
            ]}
          />
        }
        detail={<Card>Refund A-1</Card>}
      />
      <Card flush>
        <Disclosure title="small-1" end={<Badge>listed</Badge>}>
          A row of a list.
        </Disclosure>
        <Disclosure title="large-1" end={<Badge tone="good">new</Badge>} isOpenAtFirst>
          What is behind it.
        </Disclosure>
      </Card>
      <Card>
        <Disclosure
          look="line"
          lead={<Search size={14} aria-hidden="true" />}
          title="search_orders"
          end="1.2 s"
        >
          One line of a text.
        </Disclosure>
        <Disclosure look="section" title="Parameters" summary="Temperature 0.2">
          Settings that few people need.
        </Disclosure>
      </Card>
      <ActionCard
        href="#a"
        icon={<Bot size={16} />}
        title="Build an agent"
        detail="Name it and talk to it."
      />
      <Card>
        <Facts
          facts={[
            { name: 'Version', value: '12' },
            { name: 'Changed by', value: 'Ana' },
          ]}
        />
      </Card>
      <TabBar
        label="Kinds of lists"
        value={tab}
        onChange={setTab}
        tabs={[
          { id: 'rows', label: 'Rows' },
          { id: 'tree', label: 'Tree' },
        ]}
      >
        <TreeView
          label="Steps"
          expanded={expanded}
          onExpand={setExpanded}
          selected={node}
          onSelect={setNode}
          nodes={[
            {
              id: 'a',
              name: 'Lead',
              label: 'Lead',
              lead: <Status state="completed">{''}</Status>,
              end: '1.2 s',
              children: [{ id: 'b', name: 'Model call', label: 'Model call', end: '800 ms' }],
            },
            { id: 'c', name: 'Answer', label: 'Answer' },
          ]}
        />
        <DataTable
          label="Agents"
          rows={ROWS.slice(0, 30)}
          total={ROWS.length}
          idOf={({ id }) => id}
          nameOf={({ name }) => name}
          hrefOf={({ id }) => `#${id}`}
          sort="-name"
          onSort={() => undefined}
          selected={selected}
          onSelect={setSelected}
          actionsOf={({ name }) => <ActionMenu label={`Actions of ${name}`} groups={[]} />}
          newer={{ label: '12 new', onShow: () => undefined }}
          more={{ label: 'Show more', isPending: false, onLoad: () => undefined }}
          columns={[
            { id: 'name', title: 'Name', isSortable: true, cell: ({ name }) => name },
            { id: 'state', title: 'Status', width: '8rem', cell: ({ state }) => <Status state={state} /> },
            {
              id: 'runs',
              title: 'Runs',
              width: '6rem',
              align: 'end',
              from: 'wide',
              cell: ({ runs }) => runs,
            },
          ]}
        />
      </TabBar>
    </Section>
  )
}

function Texts() {
  const [json, setJson] = useState('{\n  "name": "Support",\n  "limit": 3,\n  "live": true\n}')
  return (
    <Section title="Texts and charts">
      <CodeField label="Schema" language="json" value={json} onChange={setJson} />
      <CodeBlock label="Command" text="curl -s http://localhost:3000/api/v1/agents -H 'X-API-Key: …'" />
      <Card>
        <MarkdownText text={MARKDOWN} />
      </Card>
      <TextDiff
        label="Instructions"
        before={'Be brief.\nBe kind.\nNever guess.'}
        after={'Be brief.\nBe exact.\nNever guess.'}
      />
      <Card>
        <BarChart
          label="Cost by model"
          series={[
            { id: 'a', label: 'Small' },
            { id: 'b', label: 'Large' },
          ]}
          points={Array.from({ length: 30 }, (_, day) => ({
            id: String(day),
            label: `${day + 1} Nov`,
            values: { a: (day * 7) % 23, b: (day * 5) % 17 },
          }))}
          format={(value) => `$${value}`}
          onRange={() => undefined}
        />
        <TimeBar startMs={120} durationMs={300} totalMs={1_000} />
        <TimeBar startMs={420} durationMs={580} totalMs={1_000} tone="bad" isEstimated />
        <ShareBar share={0.4} />
        <ShareBar share={1} tone="bad" />
        <TimeStrip
          label="Fires of two days"
          now={NOON}
          nowWord="Now"
          marks={(['good', 'late', 'bad', 'left-out', 'planned'] as const).map((kind, index) => ({
            id: kind,
            at: NOON + (index - 3.5) * 36_000_000,
            kind,
            word: kind,
            href: kind === 'good' ? '#run' : null,
          }))}
        />
      </Card>
    </Section>
  )
}
