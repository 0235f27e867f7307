import { PackageMissingError } from '../errors/input.js'

/** Loads an optional package when it is needed. @throws {@link PackageMissingError} when it is not installed */
export async function loadPackage<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    throw new PackageMissingError(name, error)
  }
}
