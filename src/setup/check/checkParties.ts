import { bytesToHex } from '../../codec/hex.js'
import { parseTextEnvelope, parseVerificationKey } from '../../codec/textEnvelope.js'
import { isLayerError } from '../../errors/base.js'
import { MAX_PARTIES } from '../limits.js'
import type { NodeOption } from '../nodeOptions/NodeOption.js'
import { isWildcard, parsePeer } from '../peers.js'
import type { GivenOptions } from './GivenOptions.js'
import { givenValue } from './GivenOptions.js'
import type { SetupFinding } from './SetupFinding.js'
import { blocks } from './SetupFinding.js'

/** Function that returns the content of a key file; null where the file is not available. */
export type ReadKey = (path: string) => string | null

const KEYS = ['hydra', 'cardano'] as const

/**
 * Checks the keys and addresses of the other parties: their number, that none is given twice or is the node's own, and
 * that no key is secret.
 */
export function checkParties(
  givenOptions: GivenOptions,
  options: readonly NodeOption[],
  readKey: ReadKey | undefined
): SetupFinding[] {
  if (givenOptions.command !== 'run') return []
  const [hydra, cardano] = KEYS.map((kind) => givenOptions.values.get(`${kind}-verification-key`) ?? [])
  const findings: SetupFinding[] = []
  const parties = Math.max(hydra!.length, cardano!.length) + 1
  if (parties > MAX_PARTIES)
    findings.push(
      blocks(
        'too-many-parties',
        '--hydra-verification-key',
        `The head has ${parties} parties, and at most ${MAX_PARTIES} are possible.`,
        'Leave parties out.'
      )
    )
  const isOffline =
    givenOptions.values.has('offline-head-seed') || givenOptions.values.get('(chain.mode)')?.[0] === 'offline'
  if (!isOffline && givenOptions.extent === 'arguments' && hydra!.length !== cardano!.length)
    findings.push(countsDiffer(hydra!.length, cardano!.length))
  for (const kind of KEYS) findings.push(...checkKeys(givenOptions, options, kind, readKey))
  return [...findings, ...checkPeers(givenOptions, options)]
}

function countsDiffer(hydra: number, cardano: number): SetupFinding {
  return blocks(
    'key-counts',
    null,
    `There are ${hydra} Hydra keys and ${cardano} Cardano keys of other parties.`,
    'Give both keys of each other party.'
  )
}

/** Returns a path without the ending of a key file, which both files of a key pair share. */
const stemOf = (path: string): string => path.replace(/\.(s?v?key|[sv]k)$/, '').replace(/^\.\//, '')

function checkKeys(
  givenOptions: GivenOptions,
  options: readonly NodeOption[],
  kind: 'hydra' | 'cardano',
  readKey: ReadKey | undefined
): SetupFinding[] {
  const option = `--${kind}-verification-key`
  const findings: SetupFinding[] = []
  const signingKeyPath = givenValue(givenOptions, options, `${kind}-signing-key`) ?? ''
  const ownKey = readKey === undefined ? null : readPublicKey(`${stemOf(signingKeyPath)}.vk`, readKey)
  const seen = new Map<string, string>()
  for (const path of givenOptions.values.get(`${kind}-verification-key`) ?? []) {
    const content = readKey === undefined ? null : readPublicKey(path, readKey)
    if (content === 'secret' || content === 'unreadable' || /\.sk(ey)?$/.test(path)) {
      findings.push(
        content === 'unreadable'
          ? blocks(
              'bad-value',
              option,
              `The file ${path} holds no verification key.`,
              'Name the .vk file of the party.'
            )
          : blocks('secret-key', option, `The file ${path} is a signing key, which is secret.`, 'Name the .vk file.')
      )
      continue
    }
    if (stemOf(path) === stemOf(signingKeyPath) || (content !== null && content === ownKey))
      findings.push(
        blocks('own-key', option, `The key ${path} is the node's own.`, 'Name the keys of the other parties alone.')
      )
    const twin = seen.get(stemOf(path)) ?? (content === null ? undefined : seen.get(content))
    if (twin !== undefined)
      findings.push(blocks('same-key', option, `The key ${path} is given twice.`, 'Name each other party once.'))
    seen.set(stemOf(path), path)
    if (content !== null) seen.set(content, path)
  }
  return findings
}

/**
 * Returns the public key of a file as hex; `secret` for a signing key, `unreadable` for any other content, null where
 * the file is not available.
 */
export function readPublicKey(path: string, readKey: ReadKey): string | 'secret' | 'unreadable' | null {
  const text = readKey(path)
  if (text === null) return null
  try {
    const envelope = parseTextEnvelope(text, 'key')
    return /SigningKey/.test(envelope.type) ? 'secret' : bytesToHex(parseVerificationKey(envelope, 'key').publicKey)
  } catch (error) {
    if (!isLayerError(error)) throw error
    return 'unreadable'
  }
}

/** Returns the address under which the other nodes know this one. */
export function ownAddress(givenOptions: GivenOptions, options: readonly NodeOption[]): string {
  return givenOptions.values.get('advertise')?.[0] ?? givenValue(givenOptions, options, 'listen') ?? ''
}

function checkPeers(givenOptions: GivenOptions, options: readonly NodeOption[]): SetupFinding[] {
  const peers = givenOptions.values.get('peer') ?? []
  if (peers.length === 0) return []
  const findings: SetupFinding[] = []
  const nodeAddress = ownAddress(givenOptions, options)
  if (isWildcard(parsePeer(nodeAddress)?.host ?? '') && givenOptions.extent === 'arguments')
    findings.push(
      blocks(
        'own-peer',
        '--advertise',
        `The other nodes would know this one as ${nodeAddress}, which is no address.`,
        'Give --advertise with the address that stands in the lists of the others.'
      )
    )
  for (const [i, peer] of peers.entries()) {
    const again = peers.indexOf(peer) < i
    if (peer !== nodeAddress && !again) continue
    const what = again
      ? `The peer ${peer.slice(0, 60)} is given twice.`
      : `The peer ${peer.slice(0, 60)} is the node itself.`
    findings.push(
      blocks('own-peer', '--peer', what, 'Name each other node once: the list decides which network it is.')
    )
  }
  return findings
}
