import { createLog } from '../../../src/bridge/delivery/log.js'
import { LayerBridge } from 'layer-sdk/bridge'
import { FakeConnector } from '../../support/fakeConnector'

/** What a logger gets for a warning. */
function lineOf(text: string): string {
  const lines: string[] = []
  createLog(false, {
    debug() {},
    warn: (line) => {
      lines.push(line)
    }
  }).warn(() => text)
  return lines[0] as string
}

describe('a log line', () => {
  it('escapes control characters, so that no text of a node can forge a line or command a terminal', () => {
    expect(lineOf('a\nb\r\u001b[2Jc\u0000\u007f\u009b31m')).toBe(
      '[layer-bridge] a\\nb\\u000d\\u001b[2Jc\\u0000\\u007f\\u009b31m'
    )
    expect(lineOf('x\u2028y\u2029z \u202egnp.exe \u2066 \u200f')).toBe(
      '[layer-bridge] x\\u2028y\\u2029z \\u202egnp.exe \\u2066 \\u200f'
    )
    for (let code = 0; code < 0x300; code++)
      expect(lineOf(String.fromCharCode(code))).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/)
  })

  it('leaves text of every language as it is', () => {
    expect(lineOf('größe 猫 😀 "quoted" \\n')).toBe('[layer-bridge] größe 猫 😀 "quoted" \\n')
  })

  it('is cut at a thousand characters and says how long the text was', () => {
    expect(lineOf('x'.repeat(1_000))).toBe(`[layer-bridge] ${'x'.repeat(1_000)}`)
    expect(lineOf('x'.repeat(1_001))).toBe(`[layer-bridge] ${'x'.repeat(1_000)}... (1001 characters)`)
    expect(lineOf('x'.repeat(10_000_000))).toBe(`[layer-bridge] ${'x'.repeat(1_000)}... (10000000 characters)`)
    expect(lineOf('\u0000'.repeat(5_000)).length).toBeLessThan(1_100)
  })

  it('shows no key, wherever the cut falls', () => {
    for (let at = 880; at < 1_010; at++) {
      expect(lineOf(`${'x'.repeat(at)} wss://hub.example/?X-Api-Key=SECRETSECRETSECRETSECRET&a=1`)).not.toMatch(
        /SECRET|SECRE/
      )
      expect(lineOf(`${'x'.repeat(at + 1_000)} wss://hub.example/?X-Api-Key=SECRETSECRETSECRETSECRET`)).not.toMatch(
        /SECRE/
      )
    }
    // What is redacted shrinks, so that the first cut can come into sight.
    for (let at = 1_900; at < 2_000; at++)
      expect(lineOf(`?a=${'x'.repeat(at)} wss://user:SECRETSECRET@hub.example/`)).not.toMatch(/SEC/)
  })

  it('of a message with a hostile tag stays one line', async () => {
    const lines: string[] = []
    const connector = new FakeConnector()
    const bridge = new LayerBridge({
      connector,
      verbose: true,
      logger: {
        debug: (line) => {
          lines.push(line)
        },
        warn() {}
      }
    })
    const done = bridge.connect()
    connector.last.greet()
    await done
    connector.last.say({ tag: `Ev\nil\u001b[31m${'z'.repeat(100_000)}` })
    await bridge.disconnect()
    const line = lines.find((text) => text.includes('Ev'))
    expect(line).toMatch(/^\[layer-bridge\] received Ev\\nil\\u001b\[31mz+\.\.\. \(100\d{3} characters\)$/)
    expect(line!.length).toBeLessThan(1_100)
  })
})
