// A Jest transform: TypeScript to JavaScript by Node's own type stripping, so positions stay as they are.
import { stripTypeScriptTypes } from 'node:module'

export default {
  process: source => ({ code: stripTypeScriptTypes(source) })
}
