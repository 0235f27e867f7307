import { bytesToHex } from '../../codec/hex.js'
import { encodeTxOutput } from '../../codec/txOutput.js'
import type { ScriptRef, TxOutput } from '../../types/utxo.js'
import { DevNodeForkError } from '../../errors/devnode.js'
import { statedOutput } from '../rules/utxoContent.js'
import type { DevNodeOptions, GenesisEntry } from '../settings/options.js'
import type { DevNodeProfile } from '../settings/profiles.js'
import { DEFAULT_PROFILE } from '../settings/profiles.js'
import { isObject } from '../json/isObject.js'
import type { ForkedHead } from './readHead.js'

/**
 * Returns the options of a node whose head starts in the state of a different head. Options of the caller have
 * precedence; outputs of the caller are added.
 */
export function forkOptions(head: ForkedHead, origin: string, options: DevNodeOptions, nowMs: number): DevNodeOptions {
  const { utxo, slot } = head
  const inHead = options.inHead ?? []
  const networkId = options.networkId ?? (isOnMainnet(utxo) ? 1 : 0)
  return {
    ...options,
    profile: options.profile ?? profileOf(head),
    networkId,
    // A slot is a second long.
    ...(slot === null || options.slotZeroMs != null ? {} : { slotZeroMs: nowMs - slot * 1000 }),
    protocolParameters: { ...head.protocolParameters, ...options.protocolParameters },
    open: true,
    inHead: [
      ...forkedEntries(utxo, origin),
      ...((Array.isArray(inHead) ? inHead : [inHead]) as readonly GenesisEntry[])
    ]
  }
}

/** Returns the profile that is closest to a node version. */
export function profileOf({
  nodeVersion,
  depositActivation
}: Pick<ForkedHead, 'nodeVersion' | 'depositActivation'>): DevNodeProfile {
  const [major = NaN, minor = NaN] = nodeVersion.split('.').map(Number)
  // The members of `env` identify a node whose version is unknown.
  if (Number.isNaN(major) || Number.isNaN(minor)) return depositActivation ? DEFAULT_PROFILE : '2.3'
  if (major < 1) return '0.22'
  if (major === 1) return '1.3'
  if (major === 2 && minor < 2) return '2.0'
  if (major === 2 && minor === 2) return '2.2'
  // Builds between the two releases call themselves 2.3.0.
  if (major === 2 && minor === 3) return depositActivation ? '2.4' : '2.3'
  return major === 2 && minor === 4 ? '2.4' : 'master'
}

/** Returns the outputs in a form that the local head accepts: by their bytes where they carry a script. */
function forkedEntries(utxo: ForkedHead['utxo'], origin: string): GenesisEntry[] {
  const all = Object.entries(utxo)
  const hasScript = ([, json]: (typeof all)[number]): boolean => isObject(json) && json['referenceScript'] != null
  const scripted = all.filter(hasScript)
  if (scripted.length === 0) return [utxo]
  const entries = scripted.map(([ref, json]) => {
    const [txHash = '', index = ''] = ref.split('#')
    return {
      input: { txHash, index: Number(index) },
      output: bytesToHex(encodeTxOutput(withScript(json as OutputJson, ref, origin)))
    }
  })
  return [Object.fromEntries(all.filter((each) => !hasScript(each))), ...entries]
}

type OutputJson = Readonly<Record<string, unknown>>

function withScript(json: OutputJson, ref: string, origin: string): TxOutput {
  const { referenceScript, inlineDatum, inlineDatumRaw } = json
  const output = inlineDatum != null && inlineDatumRaw == null ? null : statedOutput(json)
  const script = isObject(referenceScript) ? referenceScript['script'] : undefined
  const language = isObject(script) ? LANGUAGES[String(script['type'])] : undefined
  const cborHex = isObject(script) ? script['cborHex'] : undefined
  if (output === null || language === undefined || typeof cborHex !== 'string') {
    throw new DevNodeForkError(origin, `shows an output that cannot be taken over, ${ref.slice(0, 80)}`)
  }
  return { ...output, scriptRef: { language, cborHex } }
}

const LANGUAGES: Readonly<Record<string, ScriptRef['language']>> = {
  SimpleScript: 'native',
  PlutusScriptV1: 'PlutusV1',
  PlutusScriptV2: 'PlutusV2',
  PlutusScriptV3: 'PlutusV3'
}

/** True when the outputs are on mainnet; all outputs of a head are on one network. */
function isOnMainnet(utxo: ForkedHead['utxo']): boolean {
  for (const ref in utxo) {
    const json = utxo[ref]
    return isObject(json) && typeof json['address'] === 'string' && json['address'].startsWith('addr1')
  }
  return false
}
