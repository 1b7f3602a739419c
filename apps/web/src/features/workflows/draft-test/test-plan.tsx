import type { TestRunPlan } from '@troupe/contract/builder'
import type { Graph } from '@troupe/graph'
import type { ReactNode } from 'react'
import { Button } from '../../../atoms/controls/button.tsx'
import { Badge } from '../../../atoms/states/badge.tsx'
import { Callout } from '../../../atoms/states/panels.tsx'
import { HANDLE_WORDS } from '../../../core/messages/en/workflows/handle-words.ts'
import { testWords as words } from '../../../core/messages/en/workflows/testing.ts'
import { FindingList } from '../parts/finding-list.tsx'
import styles from './testing.module.css'

type Step = TestRunPlan['runs'][number]

export interface TestPlanViewProps {
  plan: TestRunPlan
  graph: Graph
  /** Makes a branching step take a given branch. */
  onTakeWay(nodeId: string, way: string): void
}

/** The plan of a test: executed steps, effects, cost, and the source of other results. */
export function TestPlanView({ plan, graph, onTakeWay }: TestPlanViewProps) {
  const names = new Map(graph.nodes.map(({ id, name }) => [id, name]))
  const nameOf = (nodeId: string) => names.get(nodeId) ?? nodeId
  const said = ({ nodeId, iterations, certain }: Step) => words.named(nameOf(nodeId), iterations, certain)
  const keyOf = ({ nodeId, iterations }: Pick<Step, 'nodeId' | 'iterations'>) => `${nodeId} ${iterations}`
  const { runs, recomputed, seeded, missing, unreached, effects, findings, cost } = plan
  const tokens = cost.inputTokens + cost.outputTokens
  return (
    <div className={styles.plan}>
      {plan.fault !== null && <Callout tone="bad">{plan.fault}</Callout>}
      {plan.source?.gone && <Callout tone="warn">{plan.source.gone}</Callout>}
      {findings.length > 0 && (
        <PlanList title={words.findings}>
          <li>
            <FindingList findings={findings} nodes={graph.nodes} />
          </li>
        </PlanList>
      )}
      {runs.length === 0 && <p>{words.nothing}</p>}
      <PlanList title={words.lists.runs}>
        {runs.map((step) => (
          <li key={keyOf(step)}>{said(step)}</li>
        ))}
      </PlanList>
      <PlanList title={words.lists.effects}>
        {effects.map((step) => (
          <li key={keyOf(step)}>
            {said(step)} {step.happensAgain && <Badge tone="warn">{words.again}</Badge>}{' '}
            {step.tools.length > 0 && (step.isAllowed ? words.allowed(step.tools) : words.denied(step.tools))}
          </li>
        ))}
      </PlanList>
      <PlanList title={words.lists.missing}>
        {missing.map((step) => (
          <li key={keyOf(step)}>
            {said(step)}: {step.message}
          </li>
        ))}
      </PlanList>
      <PlanList title={words.lists.unreached}>
        {unreached.map(({ message, takeWay, ...step }) => (
          <li key={keyOf(step)}>
            {said({ ...step, certain: true })}: {message}{' '}
            {takeWay?.ways.map((way) => (
              <Button key={way} size="small" onPress={() => onTakeWay(takeWay.nodeId, way)}>
                {words.takeWay(nameOf(takeWay.nodeId), HANDLE_WORDS[way] ?? way)}
              </Button>
            ))}
          </li>
        ))}
      </PlanList>
      <PlanList title={words.lists.seeded}>
        {seeded.map((step) => (
          <li key={keyOf(step)}>
            {said(step)}: {step.isAnswered ? words.answered : words.origins[step.origin]}
          </li>
        ))}
      </PlanList>
      <PlanList title={words.lists.recomputed}>
        {recomputed.map((step) => (
          <li key={keyOf(step)}>{said(step)}</li>
        ))}
      </PlanList>
      {cost.steps.length > 0 && <p>{words.cost(cost.costUsd, tokens, cost.seconds)}</p>}
      {cost.unknown.length > 0 && <p className={styles.muted}>{words.unknownCost(cost.unknown.length)}</p>}
    </div>
  )
}

/** Nothing at all when the list is empty. */
function PlanList({ title, children }: { title: string; children: ReactNode }) {
  const isEmpty = Array.isArray(children) && children.length === 0
  if (isEmpty) return null
  return (
    <section className={styles.list}>
      <h3>{title}</h3>
      <ul>{children}</ul>
    </section>
  )
}
