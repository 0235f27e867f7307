import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { COMMANDS } from '../../../src/bridge/protocol/commandTable.js'
import { LayerHeadTag } from '../../../src/bridge/protocol/messages.js'
import { MESSAGES } from '../../../src/bridge/protocol/messageTable.js'
import { NODE_VERSIONS, nodeSamples } from '../../support/nodeMessages'
import { describeWithShared, readShared } from '../../support/vectors'
import { ROOT } from '../../support/markdown'

interface Row {
  states?: unknown
  fields?: unknown
  since?: string
  until?: string
  source?: 'gateway'
}

const ROWS: Record<string, Row> = { ...MESSAGES, ...COMMANDS }
/** What nodes send and take. */
const OF_NODES = Object.fromEntries(Object.entries(ROWS).filter(([, { source }]) => source === undefined))

/** `'1.2.1'` and `'1.2'` become 1002; what has no release number is newer than all. */
function rank(version: string): number {
  const [major, minor] = /^(\d+)\.(\d+)/.exec(version)?.slice(1) ?? []
  return major === undefined ? Infinity : Number(major) * 1000 + Number(minor)
}

const isIn = (version: string, { since = '0', until = 'master' }: Row): boolean =>
  rank(version) >= rank(since.padEnd(3, '.0')) && rank(version) <= rank(until)

describe('the tables of messages and commands', () => {
  it('are what docs/protocol.md shows', async () => {
    const script = join(ROOT, 'scripts', 'protocol-tables.mjs')
    // Rejects with what the script says when the page is stale.
    await expect(promisify(execFile)(process.execPath, [script, '--check'])).resolves.toMatchObject({ stderr: '' })
  })

  it('name every message, and no name twice', () => {
    expect(Object.keys(LayerHeadTag)).toEqual(Object.keys(MESSAGES))
    expect(Object.keys(MESSAGES).length).toBe(50)
    expect(Object.keys(ROWS).length).toBe(Object.keys(MESSAGES).length + Object.keys(COMMANDS).length)
  })

  it('have each message and command in the versions that samples of it are of', () => {
    const seen = new Set<string>()
    for (const { file, value } of nodeSamples(
      /^[^/]+\/(ServerOutput|Greetings|InvalidInput|ClientMessage|ClientInput|[A-Za-z_]*TimedServerOutput)/
    )) {
      const tag: string = value.tag ?? (value.me === undefined ? 'InvalidInput' : 'Greetings')
      seen.add(tag)
      expect([file, isIn(file.split('/')[0]!, ROWS[tag]!)]).toEqual([file, true])
    }
    expect(Object.keys(OF_NODES).filter((tag) => !seen.has(tag))).toEqual([])
    expect(NODE_VERSIONS.length).toBe(8)
  })

  it('let a version be in a range by its first two numbers', () => {
    expect(
      ['0.20.1', '1.2.1', '1.3.0', '2.0.0', 'master'].map((version) => isIn(version, { since: '1.3', until: '1.3' }))
    ).toEqual([false, false, true, false, false])
    expect(['2.3.0', 'master'].map((version) => isIn(version, { since: 'master' }))).toEqual([false, true])
  })
})

describeWithShared('the tables of messages and commands, beside what the source of the node has', () => {
  type Version = Record<'serverOutput' | 'clientMessage' | 'clientInput', Record<string, object> | null>

  it('have each in exactly the versions of the node that have it', () => {
    const matrix = Object.entries(JSON.parse(readShared('node/api-matrix.json')) as Record<string, Version>)
    // Older nodes are not supported.
    const versions = matrix.filter(([version]) => !version.startsWith('0.19'))
    expect(versions.length).toBe(13)
    // Its newest source came before 2.4.0, and has what that release has.
    const released = (version: string): string => (version === 'master(ca8d19bca)' ? '2.4.0' : version)
    for (const [tag, row] of Object.entries(OF_NODES)) {
      // Since 0.21 they are none of the node's two kinds of messages.
      if (tag === 'Greetings' || tag === 'InvalidInput') continue
      const has = versions.filter(
        ([, { serverOutput, clientMessage, clientInput }]) =>
          tag in { ...serverOutput, ...clientMessage, ...clientInput }
      )
      expect([tag, has.map(([version]) => version)]).toEqual([
        tag,
        versions.map(([version]) => version).filter((version) => isIn(released(version), row))
      ])
    }
  })
})
