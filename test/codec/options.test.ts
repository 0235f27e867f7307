import { readOptions } from '../../src/codec/options'
import { isLayerError } from '../../src/errors/base'

interface Example {
  url: string
  password?: string
}
const NAMES = { url: true, password: true } as const
const read = (options: unknown): Example => readOptions<Example>(options as Example, NAMES)

function refusalOf(options: unknown): { argument: string; message: string } {
  try {
    read(options)
  } catch (error) {
    if (isLayerError(error, 'INPUT_ARGUMENT')) return error as unknown as { argument: string; message: string }
    throw error
  }
  throw new Error('not refused')
}

describe('the options of a caller', () => {
  it('are copied once, without a prototype', () => {
    let reads = 0
    const options = {
      get url() {
        return `u${++reads}`
      }
    }
    const own = read(options)
    expect([own.url, own.url, reads]).toEqual(['u1', 'u1', 1])
    expect(Object.getPrototypeOf(own)).toBeNull()
  })

  it('are never read from a polluted Object.prototype', () => {
    Object.defineProperty(Object.prototype, 'password', {
      value: 'polluted',
      configurable: true,
      enumerable: true,
      writable: true
    })
    try {
      expect(read({ url: 'a' }).password).toBeUndefined()
      expect(read(Object.assign(Object.create(null) as object, { url: 'a' })).password).toBeUndefined()
    } finally {
      delete (Object.prototype as { password?: string }).password
    }
  })

  it('with an unknown name are refused by an error that names it and the known ones, and not its value', () => {
    const { argument, message } = refusalOf({ url: 'a', passwort: 'hunter2' })
    expect(argument).toBe('passwort')
    expect(message).toContain('url, password')
    expect(message).not.toContain('hunter2')
  })

  it('with a secret in the place of a name are refused without repeating it', () => {
    const secret = 'abandon ability able'
    expect(refusalOf({ url: 'a', [secret]: 1 }).message).not.toContain(secret)
    expect(refusalOf({ url: 'a', ['c0ffee'.repeat(8)]: 1 }).message).not.toContain('c0ffeec0ffee')
  })

  it('that are inherited are refused, for they would be passed over in silence', () => {
    class Settings {
      get url(): string {
        return 'a'
      }
    }
    for (const options of [
      new Settings(),
      Object.create({ url: 'a' }),
      ['a'],
      'a',
      7,
      null,
      undefined,
      () => 'a',
      new Map([['url', 'a']]),
      Promise.resolve({ url: 'a' }),
      new (class {})()
    ]) {
      expect(refusalOf(options).argument).toBe('options')
    }
  })

  it('may be an instance of a class whose fields they are', () => {
    class Settings {
      url = 'a'
      describe(): string {
        return this.url
      }
    }
    class Further extends Settings {
      password = 'b'
    }
    expect({ ...read(new Further()) }).toEqual({ url: 'a', password: 'b' })
  })

  it('that throw when they are read are refused', () => {
    expect(
      refusalOf(
        new Proxy(
          {},
          {
            ownKeys() {
              throw new RangeError('no')
            }
          }
        )
      ).argument
    ).toBe('options')
    expect(
      refusalOf({
        get url() {
          throw new RangeError('no')
        }
      }).argument
    ).toBe('options')
  })
})
