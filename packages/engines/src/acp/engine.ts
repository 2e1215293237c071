// Programs that speak the Agent Client Protocol: one client, and a profile for each.
import type { Capabilities, Engine, Probed } from '@treadle/flow/ports/engine'
import { sandboxNote } from '@treadle/sandbox/note'
import { findProgram, versionOf } from '../external/program.ts'
import { untriedNote } from '../external/tried.ts'
import { AcpSession } from './session.ts'
import { type AcpName, type AcpProfile, type AcpSettings, profiles } from './settings.ts'

export function openAcp(name: AcpName, settings: AcpSettings): Engine {
  const profile: AcpProfile = profiles[name]
  return {
    id: profile.id,
    takes: 'groups',
    can: canOf(profile),
    probe: () => probe(profile, settings),
    async open(options) {
      const { model = settings.model, effort = null } = options
      return new AcpSession(profile, { ...settings, model, effort }, options)
    },
  }
}

function canOf({ hasOutput, hasResume, hasCost }: AcpProfile): Capabilities {
  return {
    // The protocol has no place for words with a refusal: they are said as the next prompt of the same turn.
    denyMessage: true,
    editInput: false,
    forms: false,
    structured: false,
    budget: false,
    maxTurns: false,
    cost: hasCost,
    toolOutput: hasOutput,
    retries: false,
    resume: hasResume,
    steer: false,
    pause: false,
  }
}

async function probe(profile: AcpProfile, settings: AcpSettings): Promise<Probed> {
  const { id, command, install } = profile
  const [name] = settings.command ?? command
  if (name === undefined) return { is: 'unusable', why: `The engine ${id} has no command.`, hint: install }
  const program = findProgram(name, settings.env.PATH ?? '')
  if (program === null) return { is: 'unusable', why: `There is no program ${name}.`, hint: install }
  const versioned = await versionOf(program, settings.env)
  const sandbox = await sandboxNote(settings.sandbox)
  if (sandbox.is === 'unusable') return sandbox
  const version =
    versioned.is === 'found'
      ? `${versioned.version}${untriedNote(id, versioned.version)}`
      : 'of unknown version'
  const costs = profile.mayHideUsage === true ? ', its costs are known only if it says what it has used' : ''
  const effort =
    profile.lacksEffort?.(settings.access) === true
      ? ', with your login the effort of an item is not told'
      : ''
  return { is: 'usable', note: `${name} ${version}, ${sandbox.note}${costs}${effort}` }
}
