/**
 * The SQL for `ReadableTexts` of a run. An agent that hides its texts hides those of the whole run, because texts pass
 * between members and their lead. Uses the versions that ran, also of members that have not ended yet (`pins`). Runs of
 * the playground show all texts: their readers have started them for that purpose.
 */
export function READABLE(run: string): string {
  const shows = (what: string) =>
    `${run}.source = 'playground' or coalesce(bool_and(coalesce(v.config #>> '{privacy,${what}}', 'true') <> 'false'), true)`
  return `(select json_build_object('inputs', ${shows('trace_inputs')}, 'outputs', ${shows('trace_outputs')})
    from agent_versions v where v.organization_id = ${run}.organization_id and v.id = any (array(
      select ${run}.entity_version_id
      union all select member.entity_version_id from runs member where member.parent_run_id = ${run}.id
      union all select value::uuid from json_each_text(coalesce(${run}.pins, '{}'::json)))))`
}
