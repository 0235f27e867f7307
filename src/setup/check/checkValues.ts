import type { NodeOption, NodeOptionKind } from '../nodeOptions/NodeOption.js'
import { parsePeer } from '../peers.js'
import type { GivenOptions } from './GivenOptions.js'
import type { SetupFinding } from './SetupFinding.js'
import { blocks, shownValue, warns } from './SetupFinding.js'

const IPV4 = /^(25[0-5]|2[0-4]\d|1?\d?\d)(\.(25[0-5]|2[0-4]\d|1?\d?\d)){3}$/
const IPV6 = /^(?=.*::|([^:]*:){7}[^:]*$)[0-9a-f:]{2,39}$/i

/** Checks of the forms of values on a command line, each with a description of the form. */
const FORMS: Readonly<Record<Exclude<NodeOptionKind, 'flag' | 'text'>, readonly [(value: string) => boolean, string]>> =
  {
    file: [(value) => value !== '', 'a path'],
    host: [(value) => parsePeer(value) !== null, 'HOST:PORT, with the port'],
    ip: [(value) => IPV4.test(value) || IPV6.test(value), 'an IP address'],
    port: [(value) => /^\d{1,5}$/.test(value) && Number(value) <= 65_535, 'a port, 0 to 65535'],
    seconds: [(value) => /^-?\d{1,12}(\.\d{1,12})?s$/.test(value), 'seconds with their unit, e.g. 43200s'],
    natural: [(value) => /^\d{1,15}$/.test(value), 'a whole number'],
    hex: [(value) => /^([0-9a-f]{2})+$/i.test(value), 'bytes in hex'],
    txIds: [
      (value) => value.split(',').every((id) => /^[0-9a-f]{64}$/i.test(id)),
      'transaction ids of 64 hex characters, with commas between'
    ],
    chainPoint: [(value) => value === '0' || /^\d{1,20}\.[0-9a-f]{64}$/i.test(value), '0, or SLOT.HEADER_HASH'],
    network: [(value) => ['preview', 'preprod', 'mainnet'].includes(value), 'preview, preprod or mainnet']
  }

/**
 * Options with a period, which has to be above zero (that of `deposit-activation` may be zero). The node itself refuses
 * only a wrong contestation period.
 */
const PERIODS = ['contestation-period', 'deposit-period', 'deposit-activation', 'unsynced-period']

/** The shortest contestation period that is safe on mainnet, seconds (Options.hs: 3k/f slots). */
const MAINNET_PERIOD_S = 43_200

/** Checks the form of every value, and the periods. */
export function checkValues(givenOptions: GivenOptions, options: readonly NodeOption[]): SetupFinding[] {
  const findings: SetupFinding[] = []
  for (const option of options)
    for (const value of givenOptions.values.get(option.name) ?? []) {
      if (option.kind === 'flag' || option.kind === 'text') continue
      const [holds, expected] = FORMS[option.kind]
      if (!holds(value))
        findings.push(
          blocks(
            'bad-value',
            `--${option.name}`,
            `It needs ${expected}, not ${shownValue(value)}.`,
            remedyOf(value, option)
          )
        )
    }
  return [...findings, ...checkPeriods(givenOptions)]
}

function remedyOf(value: string, { name, kind }: NodeOption): string {
  if (kind === 'seconds' && /^\d+$/.test(value)) return `Write --${name} ${value}s.`
  if (kind === 'host' && !value.includes(':')) return 'Add a colon and the port, e.g. :5001.'
  return 'Correct the value.'
}

function checkPeriods({ values }: GivenOptions): SetupFinding[] {
  const findings: SetupFinding[] = []
  for (const name of PERIODS) {
    const seconds = secondsOf(values.get(name)?.[0])
    if (seconds === null || seconds > 0 || (seconds === 0 && name === 'deposit-activation')) continue
    const make = name === 'contestation-period' ? blocks : warns
    findings.push(make('period', `--${name}`, 'The period is not above zero.', `Give --${name} whole seconds from 1s.`))
  }
  const contestation = secondsOf(values.get('contestation-period')?.[0])
  const isMainnet = values.has('mainnet') || values.get('network')?.[0] === 'mainnet'
  if (isMainnet && contestation !== null && contestation > 0 && contestation < MAINNET_PERIOD_S)
    findings.push(
      warns(
        'period',
        '--contestation-period',
        `A period below ${MAINNET_PERIOD_S} seconds on mainnet may end before a fork of the chain does.`,
        `Give at least --contestation-period ${MAINNET_PERIOD_S}s.`
      )
    )
  const rotate = values.get('persistence-rotate-after')?.[0]
  if (rotate !== undefined && /^0+$/.test(rotate))
    findings.push(
      blocks('bad-value', '--persistence-rotate-after', 'It needs a number above zero.', 'Correct the value.')
    )
  return findings
}

/** Returns the seconds of a text with its unit; null for any other text. */
export function secondsOf(text: string | undefined | null): number | null {
  return text != null && /^-?\d+(\.\d+)?s$/.test(text) ? Number(text.slice(0, -1)) : null
}
