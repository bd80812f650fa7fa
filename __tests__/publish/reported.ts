// Owns reports for tests: a published version, and what it was published from.
import type { Report, Subject } from '../../src/publish/report.ts'

export const subject: Subject = {
  route: { product: 12, benefit: 34 },
  versionName: '1.2.3',
  title: 'Spring',
  changelog: '- New',
  file: 'dist/app.zip',
  size: 1_500_000,
  sha256: 'ab'.repeat(32)
}

export const published: Report = {
  outcome: 'published',
  reason: '',
  message: 'Published as version 7.',
  advice: '',
  fields: {
    id: 7,
    product_id: '12',
    option_id: null,
    version_number: '3',
    title: 'Spring',
    download_url: 'https://shop.example.com/d/7?a=1&b=2',
    extra: { deep: [1, null] }
  },
  subject,
  complaints: [],
  showLink: true
}
