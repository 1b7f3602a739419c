import { TextField } from '../../../atoms/controls/text-field.tsx'
import { Toggle } from '../../../atoms/controls/toggles.tsx'
import { Card, Section } from '../../../atoms/layout/page.tsx'
import { modelWords as words } from '../../../core/messages/en/settings/models.ts'
import { renamed } from '../../../core/models/model-draft.ts'
import { useProjects } from '../../../infrastructure/queries/use-whole-list.ts'
import { settingElementId } from '../../../parts/config-form/setting-element-id.ts'
import { OptionPicker } from '../../../parts/pickers/option-picker.tsx'
import styles from './models.module.css'
import type { ModelForm } from './use-model-form.ts'

const WHOLE = 'whole'

/** The name of a configuration, its project, and whether it is the default. */
export function IdentitySection({ form }: { form: ModelForm }) {
  const { draft, change, faultOf, provider, stored } = form
  const projects = useProjects()
  const rows = projects.data ?? []
  return (
    <Section title={words.identity}>
      <Card>
        {/* The name is its first field. */}
        <div id={settingElementId('name')} className={styles.rows} data-rows="">
          <TextField
            label={words.name}
            isRequired
            maxLength={128}
            value={draft.name}
            onChange={(name) =>
              change(stored === null ? renamed(draft, name, provider.providerId) : { name })
            }
            error={faultOf('name')}
          />
          <TextField
            label={words.slug}
            description={words.slugDetail}
            isMono
            value={draft.slug}
            onChange={(slug) => change({ slug })}
            error={faultOf('slug')}
          />
          {(rows.length > 0 || draft.projectId !== null) && (
            <OptionPicker
              label={words.project}
              description={words.projectDetail}
              value={draft.projectId ?? WHOLE}
              onChange={(id) => change({ projectId: id === WHOLE ? null : id })}
              options={[
                { id: WHOLE, label: words.wholeOrganization },
                ...rows.map(({ projectId, name }) => ({ id: projectId, label: name })),
              ]}
              error={faultOf('projectId')}
            />
          )}
        </div>
        <Toggle
          isSelected={draft.default}
          onChange={(isOn) => change({ default: isOn })}
          description={words.isDefaultDetail}
        >
          {words.isDefault}
        </Toggle>
        <Toggle
          isSelected={draft.status === 'connected'}
          onChange={(isOn) => change({ status: isOn ? 'connected' : 'disconnected' })}
          description={words.isOnDetail}
        >
          {words.isOn}
        </Toggle>
      </Card>
    </Section>
  )
}
