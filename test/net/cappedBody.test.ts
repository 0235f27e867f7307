import { readCappedText } from '../../src/net/cappedBody'

const tooLarge = new Error('too large')
const read = (response: Response, maxBytes: number): Promise<string> =>
  readCappedText(response, maxBytes, () => tooLarge)
const streamed = (...chunks: Uint8Array[]): Response =>
  new Response(
    new ReadableStream({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(chunk)
        controller.close()
      }
    })
  )

describe('readCappedText', () => {
  it('counts bytes, not characters', async () => {
    expect(await read(new Response('ää'), 4)).toBe('ää')
    await expect(read(new Response('ää'), 3)).rejects.toBe(tooLarge)
  })

  it('joins a character that arrives in two chunks', async () => {
    expect(await read(streamed(Uint8Array.of(0x61, 0xc3), Uint8Array.of(0xa4)), 3)).toBe('aä')
  })

  it('shows bytes that are not UTF-8 as U+FFFD', async () => {
    expect(await read(streamed(Uint8Array.of(0x61, 0xff)), 9)).toBe('a\uFFFD')
  })

  it('reads an empty body as an empty text', async () => {
    expect(await read(new Response(null), 1)).toBe('')
    expect(await read(streamed(), 1)).toBe('')
  })

  it('stops reading as soon as the cap is passed', async () => {
    let pulled = 0
    let cancelled = false
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled++
        controller.enqueue(new Uint8Array(1_000))
      },
      cancel() {
        cancelled = true
      }
    })
    await expect(read(new Response(endless), 10_000)).rejects.toBe(tooLarge)
    expect(cancelled).toBe(true)
    expect(pulled).toBeLessThan(20)
  })

  it('holds the cap in a runtime whose responses have no stream', async () => {
    const response = { body: undefined, text: async () => 'x'.repeat(11) } as unknown as Response
    expect(await read(response, 11)).toBe('x'.repeat(11))
    await expect(read(response, 10)).rejects.toBe(tooLarge)
  })
})
