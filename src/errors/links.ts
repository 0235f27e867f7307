/** URL of the documentation site, without a final slash. A test checks that `homepage` in package.json is the same. */
export const SITE_URL = 'https://repository.invalid/layer-sdk'

/** Returns the URL of the section about an error code. */
export function errorUrl(code: string): string {
  return `${SITE_URL}/errors.html#${code.toLowerCase()}`
}

/** Returns the URL of the section about a finding code of the doctor. */
export function doctorUrl(code: string): string {
  return `${SITE_URL}/guides/doctor.html#${code}`
}
