import type { ImportedDraft } from '@troupe/contract/builder'

type Report = ImportedDraft['report']

/** One line of the displayed report. */
export interface ReportLine {
  name: string
  detail: string
}

/** A report of an import in the order in which the user needs it. Every row of the report is in one of the groups. */
export interface ImportGroups {
  /** The choices that the user must make. */
  choices: ReportLine[]
  /** Steps that fail until they are replaced. */
  standIns: ReportLine[]
  notes: ReportLine[]
  lost: ReportLine[]
  /** Steps that do almost the same, with the differences. */
  differing: ReportLine[]
  /** Steps that behave the same. */
  same: ReportLine[]
  /** Settings of other nodes, such as models and tools. */
  parts: ReportLine[]
}

/** Groups the rows of a report. */
export function groupImport({ rows, connections, choices }: Report): ImportGroups {
  const lines = (outcome: Report['rows'][number]['outcome']) =>
    rows
      .filter((row) => row.outcome === outcome)
      .map(({ name, type, remarks }) => ({
        line: { name, detail: remarks.length > 0 ? remarks.join(' ') : type },
        isSame: remarks.length === 0,
      }))
  const all = (outcome: Report['rows'][number]['outcome']) => lines(outcome).map(({ line }) => line)
  const steps = lines('step')
  return {
    choices: choices.map(({ name, detail }) => ({ name, detail })),
    standIns: all('stand_in'),
    notes: all('note'),
    lost: connections.map(({ from, to, reason }) => ({ name: `${from} → ${to}`, detail: reason })),
    differing: steps.filter(({ isSame }) => !isSame).map(({ line }) => line),
    same: steps.filter(({ isSame }) => isSame).map(({ line }) => line),
    parts: all('part'),
  }
}
