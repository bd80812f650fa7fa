// Stands in for @actions/exec, which @actions/core uses for `platform` alone; that is never called here.
export function getExecOutput() {
  throw new Error('not part of this bundle')
}
